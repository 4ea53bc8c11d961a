/**
 * Signing in with the number beside the code, ending sessions, and the profile, in real browsers against a real server: the
 * console on one device, wallet and console on another.
 */

import { errorMessage, type Locale, locales, walletLink } from '@atoll/contract'
import { createScriptedWallet, createSignInCode, type ServerProcess, startServer } from '@atoll/testkit'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from './stack/accessibility.ts'
import { desktop, keepPicture, launchBrowser, openScreen, phone } from './stack/browser.ts'
import { consoleApp } from './stack/console-app.ts'
import { createPerson, freshName } from './stack/people.ts'
import { holdSession } from './stack/signed-in.ts'
import { passcode, walletApp } from './stack/wallet-app.ts'

let server: ServerProcess
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

async function picture(page: Page, name: string): Promise<void> {
  await keepPicture(page, `identity-${name}`)
  expect.soft(await findBarriers(page), name).toEqual([])
}

describe.each(locales)('a code and its number, in %s', (locale) => {
  /** Another device: a console without a wallet. */
  let far: { page: Page; app: ReturnType<typeof consoleApp>; complaints: string[] }
  /** The person's own device, with their wallet. */
  let own: { context: BrowserContext; page: Page; wallet: ReturnType<typeof walletApp> }
  beforeAll(async () => {
    const large = await openScreen(browser, { locale, viewport: desktop })
    far = { page: large.page, app: consoleApp(large.page, locale), complaints: large.complaints }
    const small = await openScreen(browser, { locale, viewport: phone })
    own = { context: small.context, page: small.page, wallet: walletApp(small.page, locale) }
    await own.wallet.createIdentity(server.walletUrl, freshName())
    await own.wallet.goHome()
  })
  afterAll(async () => {
    await far?.page.context().close()
    await own?.context.close()
  })

  const farCode = async () => ({ text: await far.app.copyCode(), number: await far.app.matchNumber() })
  const wrong = (number: string) => String(((Number(number) - 9) % 90) + 10)

  it('burns the code when the number is wrong, and both screens say so', async () => {
    const { wallet, page } = own
    await far.app.openSignIn(server.url)
    const { text, number } = await farCode()
    await picture(far.page, `${locale}-code`)
    await wallet.pasteCode(text)
    await page.getByText(wallet.t('approve.typeNumber'), { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: wallet.t('approve.approve') }).isDisabled()).toBe(true)
    await picture(page, `${locale}-wallet-number`)
    await far.page.getByText(far.app.t('login.typeOnPhone', { number }), { exact: true }).waitFor()
    await picture(far.page, `${locale}-scanned`)
    await wallet.approve(wrong(number))
    await page.getByText(errorMessage('matchNumberWrong', locale), { exact: true }).waitFor()
    await picture(page, `${locale}-wallet-wrong`)
    await far.page.getByText(far.app.t('login.wrongNumber'), { exact: true }).first().waitFor()
    await picture(far.page, `${locale}-wrong`)
    await far.app.button(far.app.t('login.refresh')).click()
    await wallet.press(wallet.t('act.close'))
  })

  it('tells the screen that it was declined, and then signs in with the right number', async () => {
    const { wallet } = own
    const { text, number } = await farCode()
    await wallet.pasteCode(text)
    await wallet.press(wallet.t('approve.decline'))
    await far.page.getByText(far.app.t('login.declined'), { exact: true }).waitFor()
    await picture(far.page, `${locale}-declined`)
    await wallet.pasteCode(text)
    await wallet.approve(number)
    await Promise.all([far.app.waitUntilSignedIn(), wallet.waitUntilSigned()])
    await wallet.goHome()
    expect(far.complaints).toEqual([])
  })

  it('asks for the number also when somebody passes the code on as a link', async () => {
    await using relayed = await newConsole(locale)
    const text = await relayed.app.copyCode()
    const { page, wallet } = own
    await page.goto(walletLink(server.walletUrl, text))
    await unlock(page, wallet)
    await page.getByText(wallet.t('approve.typeNumber'), { exact: true }).waitFor()
    await wallet.press(wallet.t('approve.decline'))
  })

  it('asks for none when the code is on a page of the wallet’s own browser', async () => {
    const { context, wallet } = own
    const page = await context.newPage()
    const app = consoleApp(page, locale)
    await app.openSignIn(server.url)
    await app.matchNumber()
    const [opened] = await Promise.all([context.waitForEvent('page'), app.link(app.t('login.openHere')).click()])
    const linked = walletApp(opened, locale)
    await opened.getByRole('button', { name: wallet.t('approve.approve'), exact: true }).waitFor()
    await linked.approve()
    await linked.typePasscode()
    await Promise.all([app.waitUntilSignedIn(), linked.waitUntilSigned()])
    expect(await opened.getByText(wallet.t('approve.typeNumber'), { exact: true }).count()).toBe(0)
    await page.close()
    await opened.close()
  })

  it('signs in with a wallet that knows nothing of numbers', async () => {
    await using shown = await newConsole(locale)
    const old = createScriptedWallet()
    await shown.app.matchNumber()
    expect((await old.approve(old.read(await shown.app.copyCode()).valueOf() as never)).code).toBe(200)
    await shown.app.waitUntilSignedIn()
  })

  it('is not approved for another host, whatever it says', async () => {
    const { page, wallet } = own
    const code = createSignInCode(server.url, { callbackUrl: 'https://console.evil.example/v2/user/login' })
    await page.goto(server.walletUrl)
    await unlock(page, wallet)
    await wallet.pasteCode(code.text)
    await page.getByText(wallet.t('approve.foreign'), { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: wallet.t('approve.approve'), exact: true }).count()).toBe(0)
    await picture(page, `${locale}-wallet-foreign`)
    await wallet.press(wallet.t('approve.decline'))
  })

  it('of one identity is refused to another on both screens', async () => {
    const known = await createPerson(server.url)
    const { page, context } = await openScreen(browser, { locale, viewport: desktop })
    const app = consoleApp(page, locale)
    await page.goto(`${server.url}/login/${known.session.userid}`)
    await app.matchNumber()
    await own.wallet.pasteCode(await app.copyCode())
    await own.page.getByText(own.wallet.t('approve.otherDid'), { exact: true }).waitFor()
    await page.getByText(app.t('login.otherDid'), { exact: true }).waitFor()
    await picture(page, `${locale}-other`)
    await own.wallet.press(own.wallet.t('act.close'))
    await context.close()
  })

  async function newConsole(locale: Locale) {
    const { page, context } = await openScreen(browser, { locale, viewport: desktop })
    const app = consoleApp(page, locale)
    await app.openSignIn(server.url)
    return { page, app, [Symbol.asyncDispose]: () => context.close() }
  }
})

/** A wallet that was left, or loaded anew, asks for its passcode. */
async function unlock(page: Page, wallet: ReturnType<typeof walletApp>): Promise<void> {
  await page.getByRole('main').waitFor()
  if (passcode.length > 0 && (await page.getByRole('group', { name: wallet.t('passcode.keypad') }).isVisible()))
    await wallet.typePasscode()
}
