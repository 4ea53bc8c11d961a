/**
 * Signing in with the number beside the code, ending sessions, and the profile, in real browsers against a real
 * server: the console on one device, wallet and console on another.
 */

import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activeLogin, emailShow, readCode, SignedIn, sessionRevokeAll, userInfo } from '@atoll/contract/accounts'
import { errorMessage } from '@atoll/contract/api'
import { walletLink } from '@atoll/contract/identity'
import { type Locale, locales } from '@atoll/contract/wire'
import { createScriptedWallet, createSignInCode, type ServerProcess, startServer, until } from '@atoll/testkit'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from './stack/accessibility.ts'
import { consoleApp } from './stack/apps/console-app.ts'
import { walletApp } from './stack/apps/wallet-app.ts'
import { desktop, keepPicture, launchBrowser, openScreen, phone } from './stack/browser.ts'
import { createPerson, freshName, type Person } from './stack/people.ts'
import { holdSession } from './stack/signed-in.ts'

let server: ServerProcess
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

/** A picture by its name, of 50 MB by its size. */
const fiftyMegabytes = join(tmpdir(), `atoll-huge-${process.pid}.jpg`)
beforeAll(() => {
  writeFileSync(fiftyMegabytes, '')
  truncateSync(fiftyMegabytes, 50 * 1024 * 1024)
})
afterAll(() => rmSync(fiftyMegabytes, { force: true }))

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
    expect(await page.getByRole('button', { name: wallet.t('approve.approve'), exact: true }).isDisabled()).toBe(true)
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
    const { wallet, page } = own
    const { text, number } = await farCode()
    // Declined before the server heard that it was read.
    const { promise: declined, resolve: release } = Promise.withResolvers<void>()
    const hold = async (route: Route) => {
      await declined
      await route.continue()
    }
    await page.route(`**${readCode.path}`, hold, { times: 1 })
    await wallet.pasteCode(text)
    await wallet.press(wallet.t('approve.decline'))
    await wallet.goHome()
    release()
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
    const approval = old.approve(old.read(await shown.app.copyCode()))
    expect((await Promise.all([approval, shown.app.waitUntilSignedIn()]))[0].code).toBe(200)
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

/** A page of the console on which this person is signed in, in a session of its own. */
async function openAs(person: Person, locale: Locale, path: string, viewport = desktop) {
  const { page, context, complaints } = await openScreen(browser, { locale, viewport })
  const code = createSignInCode(server.url)
  await person.wallet.approve(code.request)
  // Asked for by the browser itself: its name is in the list of sessions.
  const answer = await context.request.post(`${server.url}${activeLogin.path}`, {
    data: { secret: code.secret },
    headers: { 'user-agent': await page.evaluate<string>('navigator.userAgent') },
  })
  await holdSession(context, SignedIn.parse((await answer.json()).data))
  await page.goto(`${server.url}${path}`)
  const app = consoleApp(page, locale)
  return { page, app, complaints, [Symbol.asyncDispose]: () => context.close() }
}

describe.each(locales)('sessions, in %s', (locale) => {
  it('are listed in words and ended at once, wherever they are open', async () => {
    const person = await createPerson(server.url)
    await using here = await openAs(person, locale, '/sessions')
    await using there = await openAs(person, locale, '/sessions', phone)
    const { app, page } = here
    await app.heading(app.t('sessions.title')).waitFor()
    await there.app.heading(app.t('sessions.title')).waitFor()
    // A sign-in elsewhere is seen when the page is looked at again.
    await page.reload()
    await page.getByText(app.t('sessions.current'), { exact: true }).waitFor()
    const others = page.getByRole('button', { name: app.t('sessions.revoke'), exact: false })
    await picture(page, `${locale}-sessions`)
    await picture(there.page, `${locale}-sessions-phone`)

    // Every other session: this person's program, and the phone.
    await app.button(app.t('sessions.revokeOthers')).click()
    const question = app.dialog(app.t('sessions.revokeOthersTitle'))
    await picture(page, `${locale}-sessions-question`)
    const moved = there.page.waitForURL((url) => decodeURIComponent(url.pathname) === `/login/${person.session.userid}`)
    const nowhereElse = page.getByText(app.t('sessions.nowhereElse'), { exact: true })
    // The page hears of it before it is answered, and its person is told all the same.
    await page.route(`**${sessionRevokeAll.path}`, async (route) => {
      const response = await route.fetch()
      await nowhereElse.waitFor()
      await route.fulfill({ response })
    })
    const told = page.getByText(app.t('sessions.othersRevoked_other', { count: 2 }), { exact: true }).waitFor()
    await question.getByRole('button').last().click()
    await Promise.all([moved, nowhereElse.waitFor(), told])
    expect(await others.count()).toBe(0)
    // Once, without a loop: the page stays where a code is shown, and asks nothing in vain.
    await there.app.matchNumber()
    await there.page.getByText(app.t('login.sessionExpired'), { exact: true }).waitFor()
    expect([here.complaints, there.complaints]).toEqual([[], []])
  })
})

describe.each(locales)('the profile, in %s', (locale) => {
  it('links an email address by the code that the outbox holds', async () => {
    const person = await createPerson(server.url)
    await using tab = await openAs(person, locale, '/profile')
    const { app, page } = tab
    const t = app.t
    const email = `reader.${locale.toLowerCase()}@lagoon.example`
    await app.button(t('profile.emailLink')).click()
    const address = page.getByLabel(t('profile.address'), { exact: true })
    await address.fill('lena@localhost')
    await app.button(t('profile.sendCode')).click()
    await page.getByText(errorMessage('emailMalformed', locale), { exact: true }).first().waitFor()
    await address.fill(email)
    await app.button(t('profile.sendCode')).click()
    await page.getByText(t('profile.mailSent', { email }), { exact: true }).waitFor()
    await picture(page, `${locale}-email-code`)

    const [outbox] = await Promise.all([page.context().waitForEvent('page'), app.link(t('profile.openOutbox')).click()])
    const mail = outbox.getByRole('article').filter({ hasText: email })
    const [code = ''] = /\d{6}/.exec(await mail.getByRole('heading').innerText()) ?? []
    await picture(outbox, `${locale}-outbox`)
    const source = await mail.locator('iframe').getAttribute('src')
    await outbox.goto(`${server.url}${source}`)
    // Nothing runs in it, not even what looks for barriers.
    await keepPicture(outbox, `identity-${locale}-mail`)
    await outbox.emulateMedia({ colorScheme: 'dark' })
    await keepPicture(outbox, `identity-${locale}-mail-dark`)
    await outbox.close()

    const field = page.getByLabel(t('profile.code'), { exact: true })
    await field.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
    await app.button(t('profile.verify')).click()
    await page
      .getByText(errorMessage('emailCodeWrong', locale, { left: 4 }), { exact: true })
      .first()
      .waitFor()
    await field.fill(code)
    await app.button(t('profile.verify')).click()
    await page.getByRole('status').getByText(t('profile.emailLinked'), { exact: true }).waitFor()
    await page.getByText(email, { exact: true }).waitFor()
    await app.button(t('profile.emailChange')).waitFor()
    expect((await person.api.ask(userInfo, {})).email).toBe(email)
    await app.button(t('profile.emailRemove')).click()
    await page.getByText(t('profile.noEmail'), { exact: true }).waitFor()
    expect(tab.complaints).toEqual([])
  })

  it('lets a code that is awaited be given up', async () => {
    const person = await createPerson(server.url)
    await using tab = await openAs(person, locale, '/profile')
    const { app, page } = tab
    const t = app.t
    const email = `mistyped.${locale.toLowerCase()}@lagoon.example`
    await app.button(t('profile.emailLink')).click()
    await page.getByLabel(t('profile.address'), { exact: true }).fill(email)
    await app.button(t('profile.sendCode')).click()
    await page.getByText(t('profile.mailSent', { email }), { exact: true }).waitFor()
    await app.button(t('profile.cancel')).click()
    await app.button(t('profile.emailLink')).waitFor()
    expect(await page.getByLabel(t('profile.code'), { exact: true }).count()).toBe(0)
    expect(await person.api.ask(emailShow, {})).toEqual({ email: null, pending: null })
    expect(tab.complaints).toEqual([])
  })

  it('takes a picture, refuses what is none, and shows the made one again', async () => {
    const person = await createPerson(server.url)
    await using tab = await openAs(person, locale, '/profile', phone)
    const { app, page } = tab
    const t = app.t
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })
    await app.button(t('profile.pictureChoose')).waitFor()
    await choose('chart.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await page.getByText(t('profile.pictureKind'), { exact: true }).waitFor()
    await page.locator('input[type=file]').setInputFiles(fiftyMegabytes)
    await page.getByText(t('profile.pictureTooLarge', { megabytes: 5 }), { exact: true }).waitFor()
    await choose('broken.png', 'image/png', Buffer.from('not a picture'))
    await page.getByText(errorMessage('avatarNotPicture', locale), { exact: true }).waitFor()
    await picture(page, `${locale}-picture-refused`)
    const image = sharp({ create: { width: 800, height: 600, channels: 3, background: '#C4432F' } })
    await choose('lagoon.png', 'image/png', await image.png().toBuffer())
    const shown = page.locator('main img')
    const width = () => page.evaluate<number>(`document.querySelector('main img')?.naturalWidth ?? 0`)
    await until('the picture is drawn', async () => (await width()) === 256)
    await picture(page, `${locale}-profile-phone`)
    await app.button(t('profile.pictureRemove')).click()
    await shown.waitFor({ state: 'detached' })
    expect(tab.complaints).toEqual([])
  })
})

it('registers an identity in a browser as old as Safari 17', async () => {
  const { context, page, complaints } = await openScreen(browser, { locale: 'en-US', viewport: phone })
  await context.addInitScript(() => Reflect.deleteProperty(URL, 'parse'))
  await walletApp(page, 'en-US').createIdentity(server.walletUrl, freshName())
  expect(complaints).toEqual([])
  await context.close()
})

it('greets an account that is not stored in this browser by the ID that the identity service knows', async () => {
  const { wallet, name = '' } = await createPerson(server.url)
  const { context, page } = await openScreen(browser, { locale: 'en-US', viewport: desktop })
  await page.goto(`${server.url}/login/${wallet.did}`)
  await page.getByText(name, { exact: true }).waitFor()
  await context.close()
})

it('says so when a code cannot be sent, and keeps trying', async () => {
  const locale = 'zh-CN'
  await using away = await startServer({ env: { ATOLL_SMTP_URL: 'smtp://127.0.0.1:1' } })
  const person = await createPerson(away.url)
  const { page, context } = await openScreen(browser, { locale, viewport: desktop })
  await holdSession(context, person.session)
  await page.goto(`${away.url}/profile`)
  const app = consoleApp(page, locale)
  const email = 'lena@lagoon.example'
  await app.button(app.t('profile.emailLink')).click()
  await page.getByLabel(app.t('profile.address'), { exact: true }).fill(email)
  await app.button(app.t('profile.sendCode')).click()
  await page.getByText(app.t('profile.mailDelayed', { email }), { exact: true }).waitFor()
  await picture(page, `${locale}-email-delayed`)
  expect((await fetch(`${away.url}/outbox`)).headers.get('content-type')).not.toContain('text/html')
  await context.close()
})

/** A wallet that was left, or loaded anew, asks for its passcode. */
async function unlock(page: Page, wallet: ReturnType<typeof walletApp>): Promise<void> {
  await page.getByRole('group', { name: wallet.t('passcode.keypad') }).waitFor()
  await wallet.typePasscode()
}
