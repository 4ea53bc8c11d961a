import { type Account, isExpired } from './account.ts'

export interface GuardTarget {
  /** The account to sign in again; undefined: anyone. */
  did: string | undefined
  /** The path that was wanted. */
  redirect: string
}

/**
 * The route guard of spec §2 for a route that needs authentication: an expired session leads to `/login/{userid}`, no
 * token to `/login`, both with the wanted path; undefined lets pass. `now` in ms.
 */
export function guardTarget(account: Account | undefined, now: number, wanted: string): GuardTarget | undefined {
  if (!account?.token) return { did: undefined, redirect: wanted }
  if (isExpired(account, now)) return { did: account.userid, redirect: wanted }
  return undefined
}
