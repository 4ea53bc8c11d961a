/**
 * Signing in with the number beside the code, in real browsers against a real server: the console on one device, wallet
 * and console on another.
 */
import { readCode } from '@atoll/contract/accounts'
import { walletLink } from '@atoll/contract/identity'
import type { Locale } from '@atoll/contract/wire'
import { createScriptedWallet, createSignInCode } from '@atoll/testkit'
import { errorMessage } from '@atoll/texts/refusals'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picturesOf } from '../stack/accessibility.ts'
import { consoleApp } from '../stack/apps/console-app.ts'
import { walletApp } from '../stack/apps/wallet-app.ts'
import { desktop, openScreen, phone } from '../stack/browser.ts'
import { createPerson, freshName } from '../stack/people.ts'
import { useStack } from '../stack/use-stack.ts'

export const stack = useStack({ browser: true })

const picture = picturesOf('identity')

/** Signing in with the number beside the code, in one language: a describe block of the file that calls it. */
export function describeIdentity(locale: Locale): void {
  describe(`a code and its number, in ${locale}`, () => {
    /** Another device: a console without a wallet. */
    let far: { page: Page; app: ReturnType<typeof consoleApp>; complaints: string[] }
    /** The person's own device, with their wallet. */
    let own: { context: BrowserContext; page: Page; wallet: ReturnType<typeof walletApp> }
    beforeAll(async () => {
      const large = await openScreen(stack.browser, { locale, viewport: desktop })
      far = { page: large.page, app: consoleApp(large.page, locale), complaints: large.complaints }
      const small = await openScreen(stack.browser, { locale, viewport: phone })
      own = { context: small.context, page: small.page, wallet: walletApp(small.page, locale) }
      await own.wallet.createIdentity(stack.server.walletUrl, freshName())
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
      await far.app.openSignIn(stack.server.url)
      const { text, number } = await farCode()
      await picture(far.page, `${locale}-code`)
      await wallet.pasteCode(text)
      await page.getByText(wallet.t('approve.typeNumber'), { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: wallet.t('approve.approve'), exact: true }).isDisabled()).toBe(true)
      await picture(page, `${locale}-wallet-number`)
      await page.getByRole('button', { name: wallet.t('approve.show'), exact: true }).click()
      await picture(page, `${locale}-wallet-exact`)
      await page.getByRole('button', { name: wallet.t('approve.hide'), exact: true }).click()
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

    it('notifies the screen that it was declined, and then signs in with the right number', async () => {
      const { wallet, page } = own
      const { text, number } = await farCode()
      // Declined before the server received that it was read.
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
      await page.goto(walletLink(stack.server.walletUrl, text))
      await unlock(page, wallet)
      await page.getByText(wallet.t('approve.typeNumber'), { exact: true }).waitFor()
      await wallet.press(wallet.t('approve.decline'))
    })

    it('asks for none when the code is on a page of the wallet’s own browser', async () => {
      const { context, wallet } = own
      const page = await context.newPage()
      const app = consoleApp(page, locale)
      await app.openSignIn(stack.server.url)
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
      const code = createSignInCode(stack.server.url, { callbackUrl: 'https://console.evil.example/v2/user/login' })
      await page.goto(stack.server.walletUrl)
      await unlock(page, wallet)
      await wallet.pasteCode(code.text)
      await page.getByText(wallet.t('approve.foreign'), { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: wallet.t('approve.approve'), exact: true }).count()).toBe(0)
      await picture(page, `${locale}-wallet-foreign`)
      await wallet.press(wallet.t('approve.decline'))
    })

    it('of one identity is refused to another on both screens', async () => {
      const known = await createPerson(stack.server.url)
      const { page, context } = await openScreen(stack.browser, { locale, viewport: desktop })
      const app = consoleApp(page, locale)
      await page.goto(`${stack.server.url}/login/${known.session.userid}`)
      await app.matchNumber()
      await own.wallet.pasteCode(await app.copyCode())
      await own.page.getByText(own.wallet.t('approve.otherDid'), { exact: true }).waitFor()
      await page.getByText(app.t('login.otherDid'), { exact: true }).waitFor()
      await picture(page, `${locale}-other`)
      await own.wallet.press(own.wallet.t('act.close'))
      await context.close()
    })

    it('moves to another address with its keys, and is gone from the earlier one', async () => {
      const { page, context, complaints } = await openScreen(stack.browser, { locale, viewport: phone })
      const wallet = walletApp(page, locale)
      const { walletUrl } = stack.server
      const former = walletUrl.replace('localhost', '127.0.0.1')
      await wallet.importIdentity(former, createScriptedWallet().mnemonic)
      // From now on the wallet is at the other address.
      await context.route('**/config.json', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), formerWalletUrls: [former] } })
      })
      await page.goto(walletUrl)
      await page.getByText(wallet.t('receive.former', { host: new URL(former).host }), { exact: true }).waitFor()
      await picture(page, `${locale}-wallet-former`)
      // Their way there, which asks for the passcode.
      await page.getByRole('link', { name: wallet.t('receive.bring'), exact: true }).click()
      await unlock(page, wallet)
      await wallet.heading(wallet.t('move.title'))
      await page.getByRole('link', { name: wallet.t('act.close'), exact: true }).click()
      await picture(page, `${locale}-wallet-moved`)
      await page.getByRole('link', { name: wallet.t('move.open'), exact: true }).click()
      await wallet.heading(wallet.t('move.title'))
      await picture(page, `${locale}-wallet-move`)
      await wallet.press(wallet.t('move.submit'))
      await wallet.heading(wallet.t('receive.title'))
      await picture(page, `${locale}-wallet-receive`)
      await wallet.typePasscode()
      await wallet.heading(wallet.t('receive.done'))
      await wallet.press(wallet.t('act.done'))
      await unlock(page, wallet)
      await wallet.heading(wallet.t('home.title'))
      // A page at the earlier address leads to the same page at the new one.
      await page.goto(`${former}/settings`)
      await page.waitForURL(({ origin }) => origin === walletUrl)
      await unlock(page, wallet)
      await wallet.heading(wallet.t('settings.title'))
      expect(complaints).toEqual([])
      await context.close()
    })

    async function newConsole(locale: Locale) {
      const { page, context } = await openScreen(stack.browser, { locale, viewport: desktop })
      const app = consoleApp(page, locale)
      await app.openSignIn(stack.server.url)
      return { page, app, [Symbol.asyncDispose]: () => context.close() }
    }
  })
}

/** Enters the passcode, which the wallet asks for after it was closed or reloaded. */
async function unlock(page: Page, wallet: ReturnType<typeof walletApp>): Promise<void> {
  await page.getByRole('group', { name: wallet.t('passcode.keypad') }).waitFor()
  await wallet.typePasscode()
}
