import type { SignedIn } from '@atoll/contract/accounts'

/** An account stored in this browser: who it is and its session (spec §3). `expired` in ms. */
export type Account = SignedIn

/** Whether the session of `account` has run out at `now`, ms. */
export function isExpired(account: Account, now: number): boolean {
  return account.expired <= now
}
