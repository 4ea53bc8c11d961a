/**
 * The first question of every signed-in page, asked by the early script while the page's code is still on its way. The
 * query that wants the answer takes it once; whatever is asked later is asked anew.
 */
import { resourceInitNew } from '@atoll/contract/clusters'
import type { CallData } from '@atoll/contract/wire'
import { currentLocale } from '../kit/i18n/language.ts'
import type { Account } from '../session/account.ts'
import { callTimeoutMs } from './call-timeout.ts'
import { readAsked } from './client.ts'

/**
 * The answer on its way for this session, once; undefined when it was asked for another, in another language, too long
 * ago or not at all. A page that shows nobody's data may be the first, and left after an hour.
 */
export function takeInitAhead(account: Account | undefined): Promise<CallData<typeof resourceInitNew>> | undefined {
  const taken = globalThis.earlyInit
  globalThis.earlyInit = undefined
  if (!account || taken?.token !== account.token || taken.locale !== currentLocale()) return undefined
  if (Date.now() - taken.askedAt > callTimeoutMs) return undefined
  return readAsked(resourceInitNew, { ...taken, account, follows: false })
}
