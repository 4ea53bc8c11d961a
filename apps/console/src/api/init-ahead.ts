/**
 * The first question of every signed-in page, asked while the code of that page is still on its way. The query that wants
 * the answer takes it once; whatever is asked later is asked anew.
 */
import { type CallData, resourceInitNew } from '@atoll/contract'
import type { Account } from '../accounts/account.ts'
import { callApi } from './client.ts'

type Init = CallData<typeof resourceInitNew>
let ahead: { token: string; answer: Promise<Init> } | undefined

export function askInitAhead(account: Account): void {
  const answer = callApi(resourceInitNew, {}, undefined, account)
  // Whoever takes it is told what failed; an answer that nobody takes fails without a word.
  answer.catch(() => undefined)
  ahead = { token: account.token, answer }
}

/** The answer on its way for this session, once. */
export function takeInitAhead(account: Account | undefined): Promise<Init> | undefined {
  const taken = ahead
  ahead = undefined
  return taken !== undefined && taken.token === account?.token ? taken.answer : undefined
}
