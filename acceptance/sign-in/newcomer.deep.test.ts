/** Somebody without a wallet: from the sign-in page through the web wallet's set-up to the approval of that request. */
import { signInCodeLifetimeMs } from '@atoll/contract/wire'
import { expect, it } from 'vitest'
import { consoleApp } from '../stack/apps/console-app.ts'
import { walletApp } from '../stack/apps/wallet-app.ts'
import { desktop, openScreen } from '../stack/browser.ts'
import { freshName } from '../stack/people.ts'
import { useStack } from '../stack/use-stack.ts'

const stack = useStack({ browser: true })
const locale = 'en-US'

it('is carried through the set-up to the request', async () => {
  const { context, page, complaints } = await openScreen(stack.browser, { locale, viewport: desktop })
  const app = consoleApp(page, locale)
  await page.clock.install()
  await app.openSignIn(stack.server.url)
  await app.matchNumber()
  const [opened] = await Promise.all([context.waitForEvent('page'), app.link(app.t('login.stepOpenWallet')).click()])
  const wallet = walletApp(opened, locale)
  await wallet.press(wallet.t('approve.start'))
  await wallet.setUpIdentity(freshName())
  // The page shows another code meanwhile; the wallet still answers the one that it was opened with.
  await page.clock.fastForward(signInCodeLifetimeMs + 1000)
  // The wallet's clock went with the page's, and the server refuses a signature of the future.
  await page.clock.setSystemTime(new Date())
  await wallet.press(wallet.t('act.continue'))
  await wallet.approve()
  await Promise.all([app.waitUntilSignedIn(), wallet.waitUntilSigned()])
  expect(complaints).toEqual([])
  await context.close()
})
