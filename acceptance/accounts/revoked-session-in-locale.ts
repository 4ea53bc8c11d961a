/**
 * A session that is revoked elsewhere while somebody types, at a real server: what is typed outlasts it, and nobody
 * else goes on with it.
 */
import { emailShow, sessionList, sessionRevoke } from '@atoll/contract/accounts'
import type { Locale } from '@atoll/contract/wire'
import { createApiClient, createScriptedWallet, type ServerProcess, startServer } from '@atoll/testkit'
import { errorMessage } from '@atoll/texts/refusals'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleApp } from '../stack/apps/console-app.ts'
import { walletApp } from '../stack/apps/wallet-app.ts'
import { desktop, launchBrowser, openScreen, phone } from '../stack/browser.ts'
import { createPerson, freshName, type Person } from '../stack/people.ts'
import { holdSession } from '../stack/signed-in.ts'

let server: ServerProcess
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ env: { ATOLL_SIGN_IN_RATE: '100000' } }), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

/** Signs in somewhere else, and from there ends every other session. */
async function revokeElsewhere({ wallet }: Person): Promise<void> {
  const api = createApiClient(server.url, await wallet.signIn(server.url))
  const sessions = await api.ask(sessionList, {})
  for (const { id } of sessions.filter(({ current }) => !current)) await api.ask(sessionRevoke, { id })
}

/** A session that ends for a person who reads `locale`: a describe block of the file that calls it. */
export function describeRevokedSession(locale: Locale): void {
  describe(`in ${locale}`, () => {
    it('an address that is typed waits for its own person: another identity is refused on both screens', async () => {
      const person = await createPerson(server.url)
      // Each its own: an address is sent one code a minute.
      const typed = `${locale}@example.com`
      const { page, context, complaints } = await openScreen(browser, { locale, viewport: desktop })
      await holdSession(context, person.session)
      const app = consoleApp(page, locale)
      await page.goto(`${server.url}/profile`)
      await app.button(app.t('profile.emailLink')).click()
      const address = page.getByLabel(app.t('profile.address'), { exact: true })
      await address.fill(typed)

      await revokeElsewhere(person)
      const cover = app.heading(app.t('login.sessionExpired'))
      await cover.waitFor()
      expect(new URL(page.url()).pathname).toBe('/profile')

      if (locale === 'en-US') {
        // A wallet that only knows the protocol is answered by the server.
        const stranger = createScriptedWallet()
        await stranger.register(server.url)
        const answer = await stranger.approve(stranger.read(await app.copyCode()))
        expect(answer.message).toBe(errorMessage('otherDidExpected', locale, { did: person.name ?? '' }))
      } else {
        // Ours says it before anything is signed.
        const far = await openScreen(browser, { locale, viewport: phone })
        const wallet = walletApp(far.page, locale)
        await wallet.createIdentity(server.walletUrl, freshName())
        await wallet.goHome()
        await wallet.pasteCode(await app.copyCode())
        await far.page.getByText(wallet.t('approve.otherDid'), { exact: true }).waitFor()
        await far.context.close()
      }
      await page.getByRole('alert').getByText(app.t('login.otherDid'), { exact: true }).waitFor()
      expect(await cover.isVisible()).toBe(true)
      expect(await address.inputValue()).toBe(typed)

      expect((await person.wallet.approve(person.wallet.read(await app.copyCode()))).code).toBe(200)
      await cover.waitFor({ state: 'detached' })
      expect(await address.inputValue()).toBe(typed)
      await app.button(app.t('profile.sendCode')).click()
      await page.getByLabel(app.t('profile.code'), { exact: true }).waitFor()
      const again = createApiClient(server.url, await person.wallet.signIn(server.url))
      expect((await again.ask(emailShow, {})).pending?.email).toBe(typed)
      expect(complaints).toEqual([])
      await context.close()
    })
  })
}
