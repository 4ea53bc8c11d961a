/** What surrounds every page: palette, toasts, focus, being offline, a page that breaks, paper. */
import {
  clusterRename,
  clusterRestart,
  clusterStart,
  createCluster,
  resourceInitNew,
  resourceList,
} from '@atoll/contract/clusters'
import { codes, eventsPath, toastTimeoutMs } from '@atoll/contract/wire'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { keepPicture, phone } from './stack/browser.ts'
import type { ConsoleTab, TabOptions } from './stack/console-tab.ts'
import { keys } from './stack/keys.ts'
import { sampleAnswers } from './stack/sample-account.ts'
import { sampleClusters } from './stack/sample-clusters.ts'
import { envelope } from './stack/scripted-console.ts'
import { waitForRest, watchRequests } from './stack/settled.ts'
import { shareConsole } from './stack/shared-console.ts'

const { server, openTab } = shareConsole()
let tab: ConsoleTab

const nameOf = (status: string) => sampleClusters.find((cluster) => cluster.status === status)?.name ?? ''
const [running, stopped] = [nameOf('running'), nameOf('stopped')]

async function open(path = '/', options: TabOptions = {}): Promise<ConsoleTab> {
  tab = await openTab(options)
  await tab.page.goto(path)
  await tab.page.locator('main h1').first().waitFor()
  return tab
}
/** In the sidebar; a number may follow its name. */
const place = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}( ?\\d+)?$`) })
/** Whether the code of the Instances page is there before anybody went to it. */
const fetchedAhead = `performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/InstancesPage-'))`
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.textContent ?? ""')

describe('the command palette', () => {
  async function openPalette(options: TabOptions = {}) {
    const { page, app } = await open('/', options)
    await app.card(running).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: app.t('palette.name') })
    await field.waitFor()
    // An option's name goes on with its reason.
    const option = (label: string) => page.getByRole('option', { name: new RegExp(`^${label}`) })
    return { page, app, field, option }
  }

  it('goes anywhere by keys alone, and hands focus to the page', async () => {
    const { page, app, field } = await openPalette()
    await field.pressSequentially('insta')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/instance')
    await app.heading(app.t('shell.instances')).waitFor()
    await expect.poll(() => focused(page)).toBe(app.t('shell.instances'))
  })

  it('finds a cluster and what can be done with it, the refused with their reason', async () => {
    const { page, app, field, option } = await openPalette()
    await field.fill(running)
    expect(await option(app.t('palette.actOn', { action: app.t('action.restart'), name: running })).count()).toBe(1)
    const refused = option(app.t('palette.actOn', { action: app.t('action.start'), name: running }))
    expect(await refused.getAttribute('aria-disabled')).toBe('true')
    await refused.getByText('It is not possible in this state.').waitFor()
    await refused.click({ force: true })
    await field.waitFor()
    expect(server.asked).not.toContain(clusterStart.path)
    await field.fill(`restart ${running}`)
    await page.keyboard.press('Enter')
    const dialog = app.dialog(app.t('dialog.restartTitle', { name: running }))
    await app.button(app.t('dialog.restartDo', { name: running }), dialog).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(server.asked).toContain(clusterRestart.path)
  })

  it('offers an action of every cluster, opens a personal server, and renames', async () => {
    const { page, app, field, option } = await openPalette()
    await field.fill(app.t('action.destroyMaster'))
    const destroyed = await option(app.t('action.destroyMaster')).allTextContents()
    expect(destroyed.some((text) => text.includes(running)) && destroyed.some((text) => text.includes(stopped))).toBe(
      true,
    )
    await field.fill(running)
    await option(app.t('palette.actOn', { action: app.t('cluster.open'), name: running })).waitFor()
    await field.fill(`${app.t('action.rename')} ${running}`)
    await page.keyboard.press('Enter')
    const dialog = app.dialog(app.t('dialog.renameTitle', { name: running }))
    const name = dialog.getByLabel(app.t('create.name'))
    await name.fill(stopped)
    await page.keyboard.press('Enter')
    await dialog.getByText(app.t('create.nameTaken', { name: stopped })).waitFor()
    expect(server.asked).not.toContain(clusterRename.path)
    await name.fill('Home 2')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(server.asked).toContain(clusterRename.path)
  })

  it('tells why an action failed, though nothing of it is on the page any more', async () => {
    const { page, app, field } = await openPalette()
    server.breakdown = (path) =>
      path === clusterStart.path ? { status: 200, body: envelope(codes.conflict, 'The lagoon is closed.') } : undefined
    await field.fill(`${app.t('action.start')} ${stopped}`)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The lagoon is closed.', { exact: true }).waitFor()
    // A failure stays until it is closed.
    await page.clock.install()
    await page.clock.fastForward(toastTimeoutMs * 60)
    await app.button(app.t('failure.close')).click()
    await page.getByText('The lagoon is closed.', { exact: true }).waitFor({ state: 'hidden' })
  })

  it('changes language and appearance, and says when nothing matches', async () => {
    const { page, app, field } = await openPalette()
    await field.fill('zzzz')
    await page.getByText(app.t('palette.nothing', { query: 'zzzz' })).waitFor()
    await field.fill(app.t('shell.dark'))
    await page.keyboard.press('Enter')
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+k')
    await field.fill('中文')
    await page.keyboard.press('Enter')
    await page.locator('html[lang=zh-CN]').waitFor({ state: 'attached' })
  })

  it('gives focus back to where it was when it is left', async () => {
    const { page, app } = await open()
    await app.button(app.t('shell.search')).press('Enter')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'hidden' })
    await expect.poll(() => focused(page)).toContain(app.t('shell.search'))
  })

  it('and the list of keys opens by key on a phone too', async () => {
    const { page, app } = await open('/', { viewport: phone })
    await page.keyboard.press('Control+/')
    await app.dialog(app.t('shell.shortcuts')).waitFor()
    await page.keyboard.press('Control+/')
    await app.dialog(app.t('shell.shortcuts')).waitFor({ state: 'hidden' })
  })
})

describe('finding the way', () => {
  /** What is lit, by its name; in a phone's header an icon. */
  const lit = (page: Page) =>
    page
      .locator(':is(header, nav) :is([aria-current=page], [data-within])')
      .evaluateAll((elements) =>
        elements.map((element) => element.getAttribute('aria-label') ?? element.textContent?.replace(/\d+$/, '')),
      )

  it.each<[string, TabOptions]>([
    ['a computer', {}],
    ['a phone', { viewport: phone }],
  ])('what is open is lit on %s', async (_what, options) => {
    const { page, app } = await open('/activity', options)
    const { t } = app
    const isPhone = options.viewport !== undefined
    const account = t('shell.accountMenu', { name: 'lena@atoll.test' })
    expect(await lit(page)).toEqual([t('shell.activity')])
    const places: [string, string[]][] = [
      ['/create', isPhone ? [t('shell.create'), t('shell.clusters')] : [t('shell.clusters')]],
      ['/profile', [account]],
      ['/sessions', [account]],
      ['/instance', [t('shell.instances')]],
    ]
    for (const [path, names] of places) {
      await page.goto(path)
      await page.locator('main h1').first().waitFor()
      await expect.poll(() => lit(page), { message: path }).toEqual(names)
    }
  })

  it('a phone finds search, create and account in the header, and the appearance in the account’s menu', async () => {
    const { page, app } = await open('/', { viewport: phone })
    const header = page.locator('header')
    await app.button(app.t('shell.search'), header).waitFor()
    await app.link(app.t('shell.create'), header).waitFor()
    await app.button(app.t('shell.accountMenu', { name: 'lena@atoll.test' }), header).click()
    await page.getByRole('menuitemradio', { name: app.t('shell.dark') }).click()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
  })

  it('the skip link is first, and leads to the page', async () => {
    const { page, app } = await open()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe(app.t('shell.skip'))
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement?.id')).toBe('page')
  })

  it('a new page is announced, and its heading has focus', async () => {
    const { page, app } = await open()
    await app.link(running).first().click()
    await app.heading(running).waitFor()
    await expect.poll(() => focused(page)).toBe(running)
    await expect.poll(() => page.locator('[aria-live=polite]').allInnerTexts()).toContain(`${running} · Atoll`)
  })

  it('a page that comes late leaves focus where the person went meanwhile', async () => {
    const { page, app } = await open()
    await app.card(running).waitFor()
    const come = Promise.withResolvers<void>()
    // Held where it is fetched ahead as well; each answer is only waited for.
    await page.route('**/assets/InstancesPage-*', async (route) => {
      await come.promise
      await route.continue()
    })
    await page.reload()
    await app.card(running).waitFor()
    await place(page, app.t('shell.instances')).press('Enter')
    const search = app.button(app.t('shell.search'))
    await keys(page).tabTo(search)
    come.resolve()
    await app.heading(app.t('shell.instances')).waitFor()
    await expect
      .poll(() => page.locator('[aria-live=polite]').allInnerTexts())
      .toContain(`${app.t('shell.instances')} · Atoll`)
    expect(await search.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  })

  it('an entry of an open menu that goes away leaves focus to the next one', async () => {
    const cluster = sampleClusters.find(({ actions }) => actions.includes('cancel'))
    if (!cluster) throw new Error('the sample lacks a situation')
    const { page, app } = await open()
    const { tabTo, arrowTo } = keys(page)
    await tabTo(app.button(app.t('common.more', { name: cluster.name }), app.card(cluster.name)))
    await page.keyboard.press('Enter')
    const cancel = page.getByRole('menuitem', { name: app.t('action.cancel') })
    await arrowTo(cancel)
    const settled = { ...cluster, actions: cluster.actions.filter((action) => action !== 'cancel') }
    server.answers = sampleAnswers(sampleClusters.map((known) => (known === cluster ? settled : known)))
    server.endStreams()
    await cancel.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(app.t('action.destroyMaster'))
  })

  it('nothing moves for a person who does not want it', async () => {
    // A change of colour in a hundredth of a millisecond is none that anybody sees.
    const moving = `document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime > 1).length`
    const { page } = await open('/', { reducedMotion: 'reduce' })
    expect(await page.evaluate(moving)).toBe(0)
    await tab.context.close()
    const lively = await open('/', { reducedMotion: 'no-preference' })
    // Otherwise this would prove nothing: a cluster that is being made turns its ring.
    await expect.poll(() => lively.page.evaluate<number>(moving)).toBeGreaterThan(0)
  })
})

describe('without a network', () => {
  it('says so, keeps what it knew, opens pages that were never opened, and catches up', async () => {
    tab = await openTab()
    const { page, app, context } = tab
    const rest = watchRequests(page, 'undefined')
    await page.goto('/')
    await app.card(running).waitFor()
    await expect.poll(() => page.evaluate(fetchedAhead)).toBe(true)
    // What that code is made of comes in files of their own.
    expect((await rest()).obstacle).toBeNull()
    await context.setOffline(true)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor()
    expect(await app.card(running).count()).toBe(1)
    await place(page, app.t('shell.instances')).click()
    await page.waitForURL('**/instance')
    await app.heading(app.t('shell.instances')).waitFor()
    await page.goBack()
    server.asked.length = 0
    await context.setOffline(false)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor({ state: 'hidden' })
    await expect.poll(() => server.asked.includes(resourceList.path)).toBe(true)
    await app.card(running).waitFor()
  })

  it('shows what it last knew as such, and refuses what cannot be done now with the reason', async () => {
    const { page, app, context } = await open()
    const card = app.card(running)
    const stop = app.button(app.t('action.stop'), card)
    await stop.waitFor()
    expect(await stop.getAttribute('aria-disabled')).toBe('false')
    // The cluster's page is fetched ahead; without a network it is too late.
    expect((await waitForRest(page, { loaded: true })).obstacle).toBeNull()
    // The list fails, too: the banner alone tells of it.
    server.breakdown = (path) => (path === resourceList.path ? { status: 500, body: '' } : undefined)
    await context.setOffline(true)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor()
    expect(await page.locator('main').getByRole('alert').count()).toBe(0)
    expect(await card.getAttribute('data-stale')).toBe('true')
    const [asOf] = app.t('cluster.asOf', { time: '|' }).split('|')
    await card.getByText(asOf ?? '').waitFor()
    expect(await card.locator('[data-status=running] [data-colour]').getAttribute('data-colour')).toBe('grey')
    expect(await stop.getAttribute('aria-disabled')).toBe('true')
    expect(await stop.getAttribute('data-tip')).toBe(app.t('shell.offlineAction'))
    await app.link(running).first().click()
    await app.heading(running).waitFor()
    await page
      .locator('section[data-stale]')
      .getByText(asOf ?? '')
      .waitFor()
    server.breakdown = undefined
    await context.setOffline(false)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor({ state: 'hidden' })
    await expect.poll(() => page.locator('[data-stale]').count()).toBe(0)
    expect(await app.button(app.t('action.stop')).getAttribute('aria-disabled')).toBe('false')
  })

  it('refuses what stands on a page by itself, too: cancelling, a new password, creating', async () => {
    const id = sampleClusters.find(({ name }) => name === running)?.clusterId
    const { page, app, context } = await open(`/cluster/${id}`)
    const cancel = app.button(app.t('action.cancel'))
    await cancel.waitFor()
    await context.setOffline(true)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor()
    const panel = page.getByRole('region').filter({ has: cancel })
    expect(await panel.locator('[data-status] [data-colour]').getAttribute('data-colour')).toBe('grey')
    const reason = app.t('shell.offlineAction')
    expect(await cancel.getAttribute('data-tip')).toBe(reason)
    await cancel.click({ force: true })
    await page.getByRole('tab', { name: app.t('detail.tabAccess') }).click()
    const reset = app.button(app.t('access.reset'))
    expect(await reset.getAttribute('data-tip')).toBe(reason)
    await reset.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('creates nothing, and says why', async () => {
    const { page, app, context } = await open(
      '/create?step=review&cloud=atoll&region=lagoon&offering=tide-2&version=1.12.3',
    )
    await page.getByLabel(app.t('create.name'), { exact: true }).fill('Makatea')
    const create = app.button(app.t('create.do', { name: 'Makatea' }))
    expect(await create.getAttribute('aria-disabled')).toBe('false')
    await context.setOffline(true)
    await page.locator('aside').getByText(app.t('shell.offlineAction'), { exact: true }).waitFor()
    expect(await create.getAttribute('aria-disabled')).toBe('true')
    server.asked.length = 0
    await create.click({ force: true })
    await page.getByLabel(app.t('create.name'), { exact: true }).press('Enter')
    await context.setOffline(false)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor({ state: 'hidden' })
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('false')
    expect(server.asked).not.toContain(createCluster.path)
  })

  it.each<[string, string, (tab: ConsoleTab) => Promise<void>, 'combobox' | 'dialog']>([
    ['the palette', 'CommandPalette', ({ page }) => page.keyboard.press('Control+k'), 'combobox'],
    ['a question', 'ConfirmDialog', ({ app }) => app.button(app.t('action.stop'), app.card(running)).click(), 'dialog'],
  ])('%s that cannot be fetched is told, and comes when it can be', async (_what, file, ask, role) => {
    const { page, app } = await open()
    await app.card(running).waitFor()
    // What it fetches ahead is not to be caught on its way.
    expect((await waitForRest(page, { loaded: true })).obstacle).toBeNull()
    await page.route(`**/assets/${file}-*`, (route) => route.abort())
    await ask(tab)
    await page.getByRole('alert').getByText(app.t('failure.network'), { exact: true }).waitFor()
    await page.unroute(`**/assets/${file}-*`)
    await ask(tab)
    await page.getByRole(role).waitFor()
  })
})

it('the account’s first answer is asked for while the code is on its way, and not once more', async () => {
  tab = await openTab()
  const { page, app } = tab
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const early = page.waitForRequest(`**${resourceInitNew.path}`)
  await page.route('**/assets/start-*.js', async (route) => {
    await early
    await route.continue()
  })
  await page.goto('/')
  await app.card(running).waitFor()
  await expect.poll(() => asked).toContain(eventsPath)
  const beforeChanges = asked.slice(0, asked.indexOf(eventsPath))
  expect(beforeChanges.filter((path) => path === resourceInitNew.path)).toHaveLength(1)
})

it('the file of the signed-in pages that cannot be fetched is told, and comes when it can be', async () => {
  tab = await openTab()
  const { page, app } = tab
  await page.route('**/assets/home-*.js', (route) => route.abort())
  await page.goto('/')
  await app.heading(app.t('failure.pageTitle')).waitFor()
  await page.getByText(app.t('failure.network'), { exact: true }).waitFor()
  await page.unroute('**/assets/home-*.js')
  await app.button(app.t('failure.retry')).click()
  await app.card(running).waitFor()
})

it('texts that cannot be fetched leave a line in both languages and the way to try again', async () => {
  tab = await openTab()
  const { page, app } = tab
  const texts = /\/assets\/(en-US|zh-CN)-[\w-]+\.js$/
  await page.route(texts, (route) => route.abort())
  await page.goto('/')
  for (const line of ['This page did not load. Try again', '页面未能加载，请重试']) await page.getByText(line).waitFor()
  await keepPicture(page, 'texts-lost')
  await page.unroute(texts)
  await page.locator('#lost').click()
  await app.card(running).waitFor()
  expect(await page.locator('#lost').isVisible()).toBe(false)
})

it('a page that breaks leaves the others alone, and can be tried again', async () => {
  tab = await openTab()
  const { page, app } = tab
  const broken = '**/assets/{sessions,SessionsPage}-*'
  await page.route(broken, (route) => route.abort())
  await page.goto('/')
  await app.card(running).waitFor()
  await page.goto('/sessions')
  await app.heading(app.t('failure.pageTitle')).waitFor()
  await app.button(app.t('failure.copyDetails')).waitFor()
  await place(page, app.t('shell.clusters')).click()
  await app.card(running).waitFor()
  await page.goBack()
  await app.heading(app.t('failure.pageTitle')).waitFor()
  await page.unroute(broken)
  await app.button(app.t('failure.retry')).click()
  await app.heading(app.t('shell.sessions')).waitFor()
})

describe('on paper', () => {
  it.each(['/', '/cluster/cl_sample000', '/instance', '/activity'])(
    '%s is dark on white without what can be pressed',
    async (path) => {
      const { page } = await open(path, { scheme: 'dark' })
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      await page.locator('html[data-mantine-color-scheme=light]').waitFor({ state: 'attached' })
      expect(await page.locator('button:visible, nav:visible, [role=tablist]:visible').count()).toBe(0)
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
      expect(await page.locator('main h1:visible').count()).toBe(1)
      const paper = await page.pdf({ format: 'A4' })
      expect(paper.subarray(0, 5).toString()).toBe('%PDF-')
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
      await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
    },
  )
})
