/**
 * Several wallets, one browser: scan, add, switch, sign in again, and the hosts that the language chooses; for real.
 */
import type { SignedIn } from '@atoll/contract/accounts'
import { instanceList, resourceInitNew } from '@atoll/contract/clusters'
import { accountIndexKey, accountListKey, eventsPath, type Locale } from '@atoll/contract/wire'
import {
  createScriptedWallet,
  findFreePorts,
  type ScriptedWallet,
  type ServerProcess,
  startServer,
} from '@atoll/testkit'
import { errorMessage } from '@atoll/texts/refusals'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleApp } from '../stack/apps/console-app.ts'
import { walletApp } from '../stack/apps/wallet-app.ts'
import { desktop, launchBrowser, openScreen, phone, type Screen } from '../stack/browser.ts'
import { freshName } from '../stack/people.ts'

let server: ServerProcess
let browser: Browser
beforeAll(async () => {
  const [console = 0, wallet = 0, edge = 0, vault = 0] = await findFreePorts(4)
  const env = { ATOLL_SIGN_IN_RATE: '100000', ATOLL_CHINA_URL: `http://127.0.0.1:${console}` }
  ;[server, browser] = await Promise.all([
    startServer({ env, ports: { console, wallet, edge, vault } }),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

interface Holder {
  wallet: ScriptedWallet
  name: string
}

async function newHolder(): Promise<Holder> {
  const wallet = createScriptedWallet()
  const name = freshName()
  await wallet.register(server.url)
  await wallet.bindName(server.url, name)
  return { wallet, name }
}

const stored = async (page: Page) => {
  const text = await page.evaluate<[string, string]>(
    `[localStorage.getItem('${accountListKey}'), localStorage.getItem('${accountIndexKey}')]`,
  )
  return { list: JSON.parse(text[0]) as SignedIn[], index: Number(text[1]) }
}

/** Lets the session of the account at `index` have run out, as if the page were opened much later. */
const expire = (page: Page, index: number) =>
  page.evaluate(`{
    const list = JSON.parse(localStorage.getItem('${accountListKey}'))
    list[${index}].expired = Date.now() - 1
    localStorage.setItem('${accountListKey}', JSON.stringify(list))
  }`)

/** Accounts of a person who reads `locale`: a describe block of the file that calls it. */
export function describeAccounts(locale: Locale): void {
  describe(`in ${locale}`, () => {
    let screen: Screen
    let first: Holder
    let second: Holder
    beforeAll(async () => {
      ;[screen, first, second] = await Promise.all([
        openScreen(browser, { locale, viewport: desktop }),
        newHolder(),
        newHolder(),
      ])
    })
    afterAll(() => screen?.context.close())

    /** As a phone does that scans what is on the screen. */
    async function scan({ wallet }: Holder): Promise<{ code: number; message: string }> {
      return await wallet.approve(wallet.read(await consoleApp(screen.page, locale).copyCode()))
    }
    async function openMenu(holder: Holder): Promise<void> {
      const { t, button } = consoleApp(screen.page, locale)
      await button(t('shell.accountMenu', { name: holder.name })).click()
    }

    it('a second wallet is added beside the first, and each is a press away', async () => {
      const { page, context } = screen
      const app = consoleApp(page, locale)
      await page.goto(`${server.url}/instance`)
      await app.code().waitFor()
      expect((await scan(first)).code).toBe(200)
      await page.waitForURL((url) => url.pathname === '/instance')

      await openMenu(first)
      await page.getByRole('menuitem', { name: app.t('accounts.add') }).click()
      await page.getByText(app.t('login.signedInAs', { name: first.name })).waitFor()
      expect((await scan(second)).code).toBe(200)
      await app.button(app.t('shell.accountMenu', { name: second.name })).waitFor()
      const both = await stored(page)
      expect(both.list.map(({ userid }) => userid)).toEqual([first.wallet.did, second.wallet.did])
      expect(both.index).toBe(1)

      await openMenu(second)
      await page.getByRole('menuitemradio', { name: first.name }).click()
      await app.button(app.t('shell.accountMenu', { name: first.name })).waitFor()
      expect((await stored(page)).index).toBe(0)
      const [cookie] = (await context.cookies()).filter(({ name }) => name === 'syncToken')
      expect(cookie?.value).toBe(both.list[0]?.token)
      expect(Math.abs((cookie?.expires ?? 0) * 1000 - (both.list[0]?.expired ?? 0))).toBeLessThan(60_000)
    })

    it('an account whose session expired signs in again; another identity is refused on both screens', async () => {
      const { page } = screen
      const app = consoleApp(page, locale)
      await expire(page, 1)
      await page.goto(`${server.url}/accountList`)
      await page.getByRole('listitem').filter({ hasText: second.name }).getByText(app.t('accounts.expired')).waitFor()
      await page.getByRole('button', { name: second.name }).first().click()
      await page.getByText(app.t('login.sessionExpired'), { exact: true }).waitFor()
      expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/login/${second.wallet.did}`)

      // Before the server knows the code there is no screen that it could notify.
      await app.matchNumber()
      const refusal = page.getByRole('alert').getByText(app.t('login.otherDid'), { exact: true })
      if (locale === 'en-US') {
        // A wallet that only knows the protocol is answered by the server.
        const answer = await scan(first)
        expect(answer.message).toBe(errorMessage('otherDidExpected', 'en-US', { did: second.name }))
        await refusal.waitFor()
      } else {
        // Ours says it before anything is signed.
        const phoneScreen = await openScreen(browser, { locale, viewport: phone })
        const wallet = walletApp(phoneScreen.page, locale)
        await wallet.createIdentity(server.walletUrl, freshName())
        await wallet.goHome()
        await wallet.pasteCode(await app.copyCode())
        await phoneScreen.page.getByText(wallet.t('approve.otherDid'), { exact: true }).waitFor()
        await refusal.waitFor()
        await phoneScreen.context.close()
      }

      expect((await scan(second)).code).toBe(200)
      await app.button(app.t('shell.accountMenu', { name: second.name })).waitFor()
      const { list, index } = await stored(page)
      expect(list[index]?.userid).toBe(second.wallet.did)
      expect(list[index]?.expired).toBeGreaterThan(Date.now())
      expect(screen.complaints).toEqual([])
    })

    it('the language chooses the host of every call, of the events and of the code, without a reload', async () => {
      const { page } = screen
      const app = consoleApp(page, locale)
      const [other, otherHost]: [Locale, string] =
        locale === 'en-US' ? ['zh-CN', `127.0.0.1:${server.ports.console}`] : ['en-US', new URL(server.url).host]
      await page.goto(server.url)
      await app.heading(app.t('home.title')).waitFor()
      await page.evaluate('globalThis.sameDocument = true')
      const asked = new Set<string>()
      page.on('request', (request) => {
        const { host, pathname } = new URL(request.url())
        if (/^\/v[12]\//.test(pathname)) asked.add(`${host} ${pathname}`)
      })
      await app.button(app.t('shell.language')).click()
      await page.getByRole('menuitemradio', { name: other === 'zh-CN' ? '中文' : 'English' }).click()
      const changed = consoleApp(page, other)
      await changed.heading(changed.t('home.title')).waitFor()
      for (const path of [eventsPath, resourceInitNew.path]) {
        await expect.poll(() => asked.has(`${otherHost} ${path}`)).toBe(true)
      }
      asked.clear()
      await page
        .getByRole('navigation')
        .first()
        .getByRole('link', { name: changed.t('shell.instances') })
        .click()
      await changed.heading(changed.t('instances.title')).waitFor()
      await expect.poll(() => asked.has(`${otherHost} ${instanceList.path}`)).toBe(true)
      expect([...asked].filter((line) => !line.startsWith(otherHost))).toEqual([])
      expect(await page.evaluate('globalThis.sameDocument')).toBe(true)

      await page.goto(`${server.url}/login`)
      const { message } = first.wallet.read(await changed.copyCode())
      expect(new URL(message.sign.callback_url).host).toBe(otherHost)
      await page.getByText(otherHost).first().waitFor()
      const approval = first.wallet.approve(first.wallet.read(await changed.copyCode()))
      expect((await Promise.all([approval, changed.waitUntilSignedIn()]))[0].code).toBe(200)
      expect(screen.complaints).toEqual([])
    })
  })
}
