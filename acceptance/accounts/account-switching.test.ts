/**
 * Several accounts, tabs and languages in one browser, against a server that answers by script, as slowly as a test
 * asks.
 */
import { activeLogin, logout, type SignedIn } from '@atoll/contract/accounts'
import { resourceInitNew } from '@atoll/contract/clusters'
import { accountIndexKey, accountListKey, type Locale } from '@atoll/contract/wire'
import { until } from '@atoll/testkit'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { consoleApp } from '../stack/apps/console-app.ts'
import type { ConsoleTab, TabOptions } from '../stack/console-tab.ts'
import { type Answers, sampleAnswers, sampleSession } from '../stack/samples/sample-account.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { recordFrames, seenFrames } from '../stack/seen-frames.ts'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleTexts } from '../stack/texts.ts'

const { server, openTab } = shareConsole()
let tab: ConsoleTab

const running = sampleClusters.find(({ status }) => status === 'running')
if (!running) throw new Error('the sample has no running cluster')

const lena = sampleSession()
const jonas = sampleSession({
  userid: `did:key:z6Mk${'b'.repeat(44)}`,
  terminusName: 'jonas@atoll.test',
  token: 'token-of-jonas',
})
/** Somebody without an ID. */
const nobody = sampleSession({ ...jonas, userid: `did:key:z6Mk${'c'.repeat(44)}`, terminusName: null })
const expired = (account: SignedIn): SignedIn => ({ ...account, expired: Date.now() - 60_000 })

/** The server's answers for `account`: one cluster, named so that its owner is known. */
function answersWith(account: SignedIn, clusterId: string, name: string): Answers {
  const answers = sampleAnswers([{ ...running, clusterId, name } as typeof running & object])
  const { token: _token, expired: _expired, ...user } = account
  answers.set(resourceInitNew, { ...(answers.get(resourceInitNew) as object), user })
  return answers
}

beforeEach(() => {
  server.answersOf.set(lena.userid, answersWith(lena, 'cl_oflena01', 'Fakarava'))
  server.answersOf.set(jonas.userid, answersWith(jonas, 'cl_ofjonas1', 'Rangiroa'))
  server.answersOf.set(nobody.userid, answersWith(nobody, 'cl_ofnobody', 'Tikehau'))
})

/** The next time the server is asked whether a code was approved, it gives `session`. */
function approve(session: SignedIn): void {
  server.answers.set(activeLogin, session)
}

const stored = (page: Page) =>
  page.evaluate<{ list: SignedIn[]; index: number }>(
    `({ list: JSON.parse(localStorage.getItem('${accountListKey}')), index: Number(localStorage.getItem('${accountIndexKey}')) })`,
  )
const cookies = async ({ context }: ConsoleTab) =>
  (await context.cookies()).filter(({ name }) => name === 'syncToken').map(({ value }) => value)

const english = consoleTexts('en-US')
const menuOf = ({ terminusName }: SignedIn) => english('shell.accountMenu', { name: terminusName ?? '' })

async function openMenu(page: Page, locale: Locale, account: SignedIn): Promise<void> {
  const { t, button } = consoleApp(page, locale)
  // A tab in the background draws seldom, and a press waits for drawing.
  await page.bringToFront()
  await button(t('shell.accountMenu', { name: account.terminusName ?? '' })).click()
}

async function switchTo(page: Page, locale: Locale, from: SignedIn, to: SignedIn): Promise<void> {
  const item = page.getByRole('menuitemradio', { name: to.terminusName ?? '' })
  // A page that is exchanged just now takes its open menu with it: a person opens it again.
  await until('the menu leads to the other account', async () => {
    await openMenu(page, locale, from)
    try {
      await item.click({ timeout: 5_000 })
      return true
    } catch (error) {
      await page.keyboard.press('Escape')
      throw error
    }
  })
}

it('has the words of the specification', () => {
  expect(english('login.sessionExpired')).toBe('Session has expired. Please rescan with LarePass.')
})

describe('switching', () => {
  it('never shows one account’s data under the other’s name, not for a frame, however late answers come', async () => {
    tab = await openTab({ accounts: [lena, jonas] })
    const { page, app } = tab
    await recordFrames(page, ['Fakarava', 'Rangiroa'])
    await page.goto('/')
    await app.card('Fakarava').waitFor()
    // The menu's code comes with its first opening, for which held answers would leave no connection.
    await openMenu(page, 'en-US', lena)
    await page.getByRole('menuitemradio', { name: jonas.terminusName ?? '' }).waitFor()
    await page.keyboard.press('Escape')

    // Answers to both now wait until they are let go, and a page of Lena's asks for more.
    const waiting: { userid: string | undefined; answer: () => void }[] = []
    // A browser has six connections, and code of pages needs some of them: four answers of an account wait at a time.
    const isFree = (userid: string | undefined) => waiting.filter((one) => one.userid === userid).length >= 4
    server.wait = (path, userid) => {
      const namesClusters = path.startsWith('/v1/resource/')
      return namesClusters && !isFree(userid)
        ? new Promise((resolve) => waiting.push({ userid, answer: resolve }))
        : Promise.resolve()
    }
    const answer = (userid: string) => {
      for (const one of waiting.filter((other) => other.userid === userid)) one.answer()
    }
    await app.card('Fakarava').getByRole('link').first().click()
    await page.waitForURL((url) => url.pathname.startsWith('/cluster/'))
    await expect.poll(() => waiting.some(({ userid }) => userid === lena.userid)).toBe(true)

    await switchTo(page, 'en-US', lena, jonas)
    await page.waitForURL((url) => url.pathname === '/')
    await expect.poll(() => waiting.some(({ userid }) => userid === jonas.userid)).toBe(true)
    answer(lena.userid)
    // Back again while Jonas's answers are still on their way, and over once more.
    await switchTo(page, 'en-US', jonas, lena)
    await switchTo(page, 'en-US', lena, jonas)
    server.wait = undefined
    answer(jonas.userid)
    answer(lena.userid)
    await app.card('Rangiroa').waitFor()
    await switchTo(page, 'en-US', jonas, lena)
    await app.card('Fakarava').waitFor()

    const frames = await seenFrames(page)
    const mixed = frames.filter(
      ({ account, words }) =>
        words.length > 1 ||
        (account === menuOf(lena) && words.includes('Rangiroa')) ||
        (account === menuOf(jonas) && words.includes('Fakarava')),
    )
    expect(mixed).toEqual([])
    expect(frames).toContainEqual({ account: menuOf(lena), words: ['Fakarava'] })
    expect(frames).toContainEqual({ account: menuOf(jonas), words: ['Rangiroa'] })
    expect(frames).toContainEqual({ account: menuOf(jonas), words: [] })
    expect(tab.complaints).toEqual([])
  })

  it('is followed by the other tab, as is signing out, and each call carries the account it is made for', async () => {
    tab = await openTab({ accounts: [lena, jonas] })
    const { page: first, context } = tab
    const second = await context.newPage()
    await recordFrames(second, ['Fakarava', 'Rangiroa'])
    await Promise.all([first.goto('/'), second.goto('/')])
    const app = consoleApp(second, 'en-US')
    await app.card('Fakarava').waitFor()

    await switchTo(first, 'en-US', lena, jonas)
    await app.card('Rangiroa').waitFor()
    expect(await cookies(tab)).toEqual([jonas.token])
    await openMenu(first, 'en-US', jonas)
    await first.getByRole('menuitem', { name: app.t('shell.signOut'), exact: true }).click()
    await app.card('Fakarava').waitFor()
    expect(await cookies(tab)).toEqual([lena.token])
    expect(await stored(first)).toMatchObject({ list: [{ userid: lena.userid }], index: 0 })

    await openMenu(first, 'en-US', lena)
    await first.getByRole('menuitem', { name: app.t('shell.signOut'), exact: true }).click()
    await app.heading(app.t('login.title')).waitFor()
    expect(new URL(second.url()).searchParams.get('redirect')).toBe('/')
    expect(await cookies(tab)).toEqual([])
    for (const { account, words } of await seenFrames(second)) {
      if (account === menuOf(lena)) expect(words).not.toContain('Rangiroa')
      if (account === menuOf(jonas)) expect(words).not.toContain('Fakarava')
    }
  })
})

describe('the list of accounts, and a form that another tab locks', () => {
  const locale = 'en-US'
  const t = consoleTexts(locale)
  const open = (options: TabOptions = {}) => openTab({ locale, ...options })

  it('the list of accounts switches, shows who expired, and signs out of one and of all', async () => {
    tab = await open({
      accounts: [lena, expired(jonas), nobody],
    })
    const { page, app } = tab
    await page.goto('/accountList?redirect=/instance')
    await app.heading(t('accounts.title')).waitFor()
    expect(await page.getByRole('banner').count()).toBe(0)
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await row('lena').getByText(t('accounts.current')).waitFor()
    await row('jonas').getByText(t('accounts.expired')).waitFor()

    await row(t('shell.noIdBound')).getByRole('button').first().click()
    await page.waitForURL((url) => url.pathname === '/instance')
    await page.goto('/accountList')
    await row('jonas').getByRole('button').first().click()
    await app.heading(t('login.again')).waitFor()
    expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/login/${jonas.userid}`)
    await page.getByText(t('login.sessionExpired'), { exact: true }).waitFor()

    await page.goto('/accountList')
    await row('lena')
      .getByRole('button', { name: t('accounts.signOutOf', { name: lena.terminusName ?? '' }) })
      .click()
    await row('lena').waitFor({ state: 'detached' })
    // Forgotten here first, then sent to the server.
    await expect.poll(() => server.asked).toContain(logout.path)
    const signOutAll = t('accounts.signOutAll', { count: 2 })
    await app.button(signOutAll).click()
    await app.button(signOutAll, app.dialog(t('accounts.signOutAllTitle', { count: 2 }))).click()
    await app.heading(t('login.title')).waitFor()
    // The page is left first.
    await expect.poll(() => stored(page)).toEqual({ list: [], index: -1 })
    await expect.poll(() => cookies(tab)).toEqual([])
    await page.goto('/accountList')
    await page.getByText(t('accounts.emptyTitle'), { exact: true }).waitFor()
    expect(tab.complaints).toEqual([])
  })

  it('a form is locked while another tab signs its account out, and goes on after signing in again', async () => {
    tab = await open({ accounts: [lena] })
    const { page, context, app } = tab
    await page.clock.install()
    await page.goto('/')
    await openDestroyDialog(page, locale)
    const field = page.getByRole('dialog').getByRole('textbox')
    await field.fill('Fakar')

    const other = await context.newPage()
    await other.goto('/')
    await openMenu(other, locale, lena)
    await other.getByRole('menuitem', { name: t('shell.signOut'), exact: true }).click()
    await consoleApp(other, locale).heading(t('login.title')).waitFor()
    await app.heading(t('locked.signedOutTitle')).waitFor()
    await page.bringToFront()
    await page.keyboard.press('Escape')
    expect(new URL(page.url()).pathname).toBe('/')
    const asked = server.asked.filter((path) => path !== activeLogin.path).length

    await app.matchNumber()
    approve({ ...lena, token: 'a-new-session' })
    // It asks every 3 s whether the code was approved.
    await page.clock.fastForward(3100)
    await app.heading(t('locked.signedOutTitle')).waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('Fakar')
    await field.fill('Fakarava')
    await app.button(t('dialog.destroyDo'), page.getByRole('dialog')).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(server.asked.filter((path) => path !== activeLogin.path).length).toBeGreaterThan(asked)
    expect(tab.complaints).toEqual([])
  })

  it('a form is locked while another tab switches accounts; one goes back to it, or gives it up', async () => {
    tab = await open({ accounts: [lena, jonas] })
    const { page, context, app } = tab
    await page.goto('/')
    await openDestroyDialog(page, locale)
    const field = page.getByRole('dialog').getByRole('textbox')
    await field.fill('Fakar')
    const other = await context.newPage()
    await other.goto('/')
    await switchTo(other, locale, lena, jonas)
    await page.bringToFront()
    await app.button(t('locked.switchBack', { name: lena.terminusName ?? '' })).click()
    expect(await field.inputValue()).toBe('Fakar')
    await consoleApp(other, locale).card('Fakarava').waitFor()

    await switchTo(other, locale, lena, jonas)
    await page.bringToFront()
    await app.button(t('locked.discard')).click()
    await app.card('Rangiroa').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })
})

async function openDestroyDialog(page: Page, locale: Locale): Promise<void> {
  const app = consoleApp(page, locale)
  await app.button(app.t('common.more', { name: 'Fakarava' }), app.card('Fakarava')).click()
  await page.getByRole('menuitem', { name: app.t('action.destroyMaster') }).click()
  await app.dialog(app.t('dialog.destroyTitle', { name: 'Fakarava' })).waitFor()
}
