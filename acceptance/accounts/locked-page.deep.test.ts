/**
 * A session that ends while somebody types: the page is locked until they sign in again, and goes on. Choices made
 * without typing are in the address, and come back with it.
 */
import { activeLogin, emailShow, openCode, sendSetEmailCode, verifyBindEmail } from '@atoll/contract/accounts'
import { accountListKey, codes, type Locale } from '@atoll/contract/wire'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { phone } from '../stack/browser.ts'
import type { ConsoleTab, TabOptions } from '../stack/console-tab.ts'
import { sampleSession } from '../stack/samples/sample-account.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { sampleAmount } from '../stack/samples/sample-money.ts'
import { envelope } from '../stack/scripted-console.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
let tab: ConsoleTab

const lena = sampleSession()
const clusterOf = (status: string) => {
  const cluster = sampleClusters.find((candidate) => candidate.status === status)
  if (!cluster) throw new Error(`the sample has no cluster that is ${status}`)
  return cluster
}
const order = 'cloud=atoll&region=lagoon&offering=tide-2&version=1.12.3'

/** The session ends at the server: it says so to every question but those of the sign-in code. */
function revoke(): void {
  const ended = { status: 200, body: envelope(codes.signedOut, 'not to be shown') }
  server.breakdown = (path) => (path === activeLogin.path || path === openCode.path ? undefined : ended)
  server.endStreams()
}

/** The wallet approves the code that is on the screen. */
async function signInAgain({ page, app }: ConsoleTab): Promise<void> {
  await app.matchNumber()
  server.breakdown = undefined
  server.answers.set(activeLogin, { ...lena, token: `session-after-${lena.token}` })
  // It asks every 3 s whether the code was approved.
  await page.clock.fastForward(3100)
}

async function open(path: string, options: TabOptions = {}): Promise<ConsoleTab> {
  tab = await openTab(options)
  await tab.page.clock.install()
  await tab.page.goto(path)
  return tab
}

/** Through the end of the session and the next one, on the same page. */
async function goThroughRevocation(opened: ConsoleTab): Promise<void> {
  const { page, app } = opened
  const { pathname } = new URL(page.url())
  revoke()
  const cover = app.heading(app.t('login.sessionExpired'))
  await cover.waitFor()
  expect(new URL(page.url()).pathname).toBe(pathname)
  await signInAgain(opened)
  await cover.waitFor({ state: 'detached' })
  expect(await page.getByText('not to be shown').count()).toBe(0)
}

async function openFromMenu({ page, app }: ConsoleTab, name: string, action: 'addWorker' | 'destroyMaster') {
  await app.button(app.t('common.more', { name })).first().click()
  await page.getByRole('menuitem', { name: app.t(`action.${action}`) }).click()
  await page.getByRole('dialog').waitFor()
}

// In one language: what is proved is what the page keeps and asks, and axe checks its texts in both.
describe('in Chinese', () => {
  const locale: Locale = 'zh-CN'

  it('the name of a new cluster, also on a phone’s page without a shell', async () => {
    for (const [path, viewport] of [
      ['/create', undefined],
      ['/createMobile', phone],
    ] as const) {
      const opened = await open(`${path}?step=review&${order}`, { locale, ...(viewport && { viewport }) })
      const { page, app } = opened
      const field = page.getByLabel(app.t('create.name'), { exact: true })
      await field.fill('Nukuoro')
      await goThroughRevocation(opened)
      expect(await field.inputValue()).toBe('Nukuoro')
      await app.button(app.t('create.payDo', { amount: sampleAmount })).click()
      await page.waitForURL(({ pathname }) => pathname !== path)
      expect(opened.complaints).toEqual([])
      await opened.context.close()
    }
  })

  it('a new address, and the code that was mailed to it: one that nobody entered is not spent', async () => {
    const opened = await open('/profile', { locale })
    const { page, app } = opened
    await app.button(app.t('profile.emailChange')).click()
    const address = page.getByLabel(app.t('profile.address'), { exact: true })
    await address.fill('new@example.com')
    await goThroughRevocation(opened)
    expect(await address.inputValue()).toBe('new@example.com')
    const sent = server.answers.get(sendSetEmailCode)
    server.answers.set(emailShow, sent)
    await app.button(app.t('profile.sendCode')).click()

    const code = page.getByLabel(app.t('profile.code'), { exact: true })
    await code.fill('123456')
    server.breakdown = (path) =>
      path === verifyBindEmail.path ? { status: 200, body: envelope(codes.signedOut) } : undefined
    await app.button(app.t('profile.verify')).click()
    await app.heading(app.t('login.sessionExpired')).waitFor()
    await signInAgain(opened)
    await app.heading(app.t('login.sessionExpired')).waitFor({ state: 'detached' })
    expect(await code.inputValue()).toBe('123456')
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    expect(opened.complaints).toEqual([])
  })

  it('size and number of workers, and the answers in a dialog that destroys', async () => {
    const { clusterId, name } = clusterOf('running')
    const opened = await open(`/cluster/${clusterId}`, { locale })
    const { page, app } = opened
    await openFromMenu(opened, name, 'addWorker')
    await page.getByRole('radio').nth(1).check({ force: true })
    await goThroughRevocation(opened)
    expect(await page.getByRole('radio').nth(1).isChecked()).toBe(true)
    await page.getByLabel(app.t('worker.quantity'), { exact: true }).fill('3')
    lena.token = 'second'
    await goThroughRevocation(opened)
    expect(await page.getByLabel(app.t('worker.quantity'), { exact: true }).inputValue()).toBe('3')
    await app.button(app.t('dialog.restartKeep')).click()

    const own = clusterOf('offline')
    await page.goto(`/cluster/${own.clusterId}`)
    await openFromMenu(opened, own.name, 'destroyMaster')
    await page.getByRole('checkbox').check()
    lena.token = 'third'
    await goThroughRevocation(opened)
    expect(await page.getByRole('checkbox').isChecked()).toBe(true)
    expect(opened.complaints).toEqual([])
  })
})

it('a secret of a step that was left already is kept, and stored nowhere', async () => {
  const opened = await open('/create?step=reach&flavour=SelfHost&proxy=cloudflare')
  const { page, app } = opened
  const secret = `eyJh${'k'.repeat(120)}`
  const token = page.getByLabel(app.t('create.tunnelToken'), { exact: true })
  await token.fill(secret)
  await page.getByLabel(app.t('create.hostname'), { exact: true }).fill('home.example.org')
  await app.link(app.t('create.toReview')).click()
  await app.heading(app.t('create.reviewTitle')).waitFor()
  await goThroughRevocation(opened)
  expect(await stored(page)).not.toContain(secret)
  expect(page.url()).not.toContain(secret)
  await app.link(app.t('create.stepReach')).first().click()
  expect(await token.inputValue()).toBe(secret)
  expect(opened.complaints).toEqual([])
})

it('stays covered, however often Escape is pressed', async () => {
  const opened = await open(`/create?step=review&${order}`)
  const { page, app } = opened
  const field = page.getByLabel(app.t('create.name'), { exact: true })
  await field.fill('Nukuoro')
  revoke()
  const cover = page.locator('dialog')
  await cover.waitFor()
  for (let times = 0; times < 6; times += 1) await page.keyboard.press('Escape')
  expect(await cover.evaluate((dialog) => dialog.matches(':modal'))).toBe(true)
  // As a browser does that closes it all the same.
  await page.evaluate('document.querySelector("dialog").close()')
  await page.locator('dialog:modal').waitFor()
  await signInAgain(opened)
  await cover.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('Nukuoro')
  expect(opened.complaints).toEqual([])
})

it('is covered without a network too, when another tab signs the account out', async () => {
  tab = await openTab({ fetchesAhead: true })
  const { app, context, page } = tab
  const ahead = page.waitForResponse(/\/LockedPage-[^/]*\.js$/)
  await page.goto(`/create?step=review&${order}`)
  await page.getByLabel(app.t('create.name'), { exact: true }).fill('Nukuoro')
  // Comes with all that it needs.
  await page.evaluate(`import(${JSON.stringify((await ahead).url())})`)
  const other = await context.newPage()
  await other.goto('/accountList')
  await context.setOffline(true)
  await other.evaluate(`localStorage.setItem(${JSON.stringify(accountListKey)}, '[]')`)
  await app.heading(app.t('locked.signedOutTitle')).waitFor()
  expect(await page.locator('dialog:modal').count()).toBe(1)
})

it('what is typed can be given up: the page of the account follows, and nothing is left of it', async () => {
  const opened = await open(`/create?step=review&${order}`)
  const { page, app } = opened
  await page.getByLabel(app.t('create.name'), { exact: true }).fill('Nukuoro')
  revoke()
  await app.button(app.t('locked.discard')).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await app.button(app.t('locked.discard')).click()
  await page.waitForURL(({ pathname }) => decodeURIComponent(pathname) === `/login/${lena.userid}`)
  expect(await stored(page)).not.toContain('Nukuoro')
  expect(opened.complaints).toEqual([])
})

it('a tab with nothing typed signs in again, and comes back to what was chosen', async () => {
  const opened = await open('/activity?kind=cluster.start&days=7')
  const { page, app } = opened
  await app.heading(app.t('activity.title')).waitFor()
  revoke()
  await page.waitForURL(({ pathname }) => decodeURIComponent(pathname) === `/login/${lena.userid}`)
  await page.getByText(app.t('login.sessionExpired'), { exact: true }).waitFor()
  await Promise.all([app.waitUntilScanned(), signInAgain(opened)])
  await page.waitForURL(({ pathname, search }) => pathname === '/activity' && search.includes('days=7'))
  expect(new URL(page.url()).searchParams.get('kind')).toBe('cluster.start')
})

/** All that the browser keeps of this site. */
const stored = (page: Page) =>
  page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])')
