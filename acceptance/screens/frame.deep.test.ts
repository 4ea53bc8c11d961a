/** The frame around every page: focus, the highlighted menu entry, and a page that breaks. */
import { clusterRepair, resourceInitNew } from '@atoll/contract/clusters'
import { type Domain, domainList } from '@atoll/contract/domains'
import { eventsPath } from '@atoll/contract/wire'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { keepPicture, phone } from '../stack/browser.ts'
import type { TabOptions } from '../stack/console-tab.ts'
import { keys } from '../stack/keys.ts'
import { sampleAnswers } from '../stack/samples/sample-account.ts'
import { sampleClusters, sampleNameOf } from '../stack/samples/sample-clusters.ts'
import { sampleDomains } from '../stack/samples/sample-domains.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab, openPage } = shareConsole()
const running = sampleNameOf('running')
/** In the sidebar; a number may follow its name. */
const place = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}( ?\\d+)?$`) })
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.textContent ?? ""')

describe('finding the way', () => {
  /** The highlighted entry, by its name; in a phone's header an icon. */
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
    const { page, app } = await openPage('/activity', options)
    const { t } = app
    const isPhone = options.viewport !== undefined
    const account = t('shell.accountMenu', { name: 'lena@atoll.test' })
    expect(await lit(page)).toEqual([account])
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
    const { page, app } = await openPage('/', { viewport: phone })
    const header = page.locator('header')
    await app.button(app.t('shell.search'), header).waitFor()
    await app.link(app.t('shell.create'), header).waitFor()
    await app.button(app.t('shell.accountMenu', { name: 'lena@atoll.test' }), header).click()
    await page.getByRole('menuitemradio', { name: app.t('shell.dark') }).click()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
  })

  it('three presses from home explain a bill day by day', async () => {
    const { page, app } = await openPage()
    await place(page, app.t('shell.billing')).click()
    await app.link('ATL-7K3QD-0030').click()
    await page
      .getByRole('button', { expanded: false })
      .filter({ hasText: /traffic|backup/i })
      .first()
      .click()
    await page.getByRole('table', { name: app.t('usagePage.byCluster'), exact: true }).waitFor()
  })

  it('three presses from home restore a lost machine from its backup', async () => {
    server.answers.set(clusterRepair, { status: 'errored' })
    const lost = sampleNameOf('errored')
    const { page, app } = await openPage()
    await app.link(lost, app.card(lost)).first().click()
    await page.getByLabel(app.t('backups.password'), { exact: true }).click()
    await page.keyboard.type('quiet lagoons at low tide')
    await app.button(app.t('lost.act', { name: lost })).click()
    await expect.poll(() => server.asked).toContain(clusterRepair.path)
  })

  it('the domains that wait for their owner are counted beside the section, as they are now', async () => {
    const answer = (...domains: Domain[]) =>
      server.answers.set(domainList, { domains, methods: ['ns', 'cname'], offers: [] })
    const { proving, handing, applying, ruling, naming, inUse, lost } = sampleDomains
    answer(proving, handing, applying, ruling, naming, inUse, lost)
    const { page, app } = await openPage()
    const link = (name: string) =>
      page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${app.t('shell.domains')}${name}$`) })
    await link(' ?4').waitFor()
    answer(proving, ruling, inUse)
    server.endStreams()
    await link(' ?1').waitFor()
    answer(proving, inUse)
    server.endStreams()
    await link('').waitFor()
  })

  it('the skip link is first, and leads to the page', async () => {
    const { page, app } = await openPage()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe(app.t('shell.skip'))
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement?.id')).toBe('page')
  })

  it('a new page is announced, and its heading has focus', async () => {
    const { page, app } = await openPage()
    await app.link(running).first().click()
    await app.heading(running).waitFor()
    await expect.poll(() => focused(page)).toBe(running)
    await expect.poll(() => page.locator('[aria-live=polite]').allInnerTexts()).toContain(`${running} · Atoll`)
  })

  it('a page that comes late leaves focus where the person went meanwhile', async () => {
    const { page, app } = await openPage()
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
    const { page, app } = await openPage()
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
    const moving = 'document.getAnimations().length'
    const { page, context } = await openPage('/', { reducedMotion: 'reduce' })
    expect(await page.evaluate(moving)).toBe(0)
    await context.close()
    const lively = await openPage('/', { reducedMotion: 'no-preference' })
    // Otherwise this would prove nothing: a cluster that is being made turns its ring.
    await expect.poll(() => lively.page.evaluate<number>(moving)).toBeGreaterThan(0)
  })
})

it('a deadline is told in UTC, with the time left, at the first move, at a key and at the first tap', async () => {
  const path = '/subscriptions/sub_sample002'
  const deadline = (page: Page) => page.locator('main time[tabindex]').first()
  const tip = (page: Page) => page.getByRole('tooltip').filter({ hasText: / UTC · / })
  const { page } = await openPage(path)
  await deadline(page).hover()
  await tip(page).waitFor()
  await page.mouse.move(0, 0)
  await tip(page).waitFor({ state: 'detached' })
  await keys(page).tabTo(deadline(page))
  await tip(page).waitFor()
  const byFinger = await openPage(path, { touch: true, viewport: phone })
  await deadline(byFinger.page).tap()
  await tip(byFinger.page).waitFor()
})

it('the account’s first answer is asked for while the code is on its way, and not once more', async () => {
  const { page, app } = await openTab()
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

it('the file of the signed-in pages that cannot be fetched is reported, and comes when it can be', async () => {
  const { page, app } = await openTab()
  await page.route('**/assets/home-*.js', (route) => route.abort())
  await page.goto('/')
  await app.heading(app.t('failure.pageTitle')).waitFor()
  await page.getByText(app.t('failure.network'), { exact: true }).waitFor()
  await page.unroute('**/assets/home-*.js')
  await app.button(app.t('failure.retry')).click()
  await app.card(running).waitFor()
})

it('texts that cannot be fetched leave a line in both languages and the way to try again', async () => {
  const { page, app } = await openTab()
  const texts = /\/assets\/at-start-[\w-]+\.js$/
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
  const { page, app } = await openTab()
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
