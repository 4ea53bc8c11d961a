import type { SignedIn } from '@atoll/contract/accounts'
import { accountIndexKey, accountListKey } from '@atoll/contract/wire'
import type { BrowserContext } from 'playwright-core'

/** Makes every page of `context` begin with this session, as after signing in there. */
export async function holdSession(context: BrowserContext, session: SignedIn): Promise<void> {
  const entries: [string, string][] = [
    [accountListKey, JSON.stringify([session])],
    [accountIndexKey, '0'],
  ]
  await context.addInitScript((items) => {
    // Once: what the console writes later stays.
    for (const [key, value] of items) if (localStorage.getItem(key) === null) localStorage.setItem(key, value)
  }, entries)
}
