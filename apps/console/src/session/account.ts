import type { SignedIn } from '@atoll/contract/accounts'
import { lookHeader } from '@atoll/contract/wire'

/** An account of this browser: who it is and its session (spec §3). `expired` in ms. */
export interface Account extends SignedIn {
  /** Staff look at the console as this customer: with the session of their own account. */
  look?: { by: string; accountId: string }
}

/** Whether the session of `account` has run out at `now`, ms. */
export function isExpired(account: Account, now: number): boolean {
  return account.expired <= now
}

/** The headers by which a request is made as `account`. */
export function credentialsOf({ userid, token, look }: Account): Record<string, string> {
  return look ? { userid: look.by, token, [lookHeader]: look.accountId } : { userid, token }
}
