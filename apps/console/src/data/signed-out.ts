/**
 * Body code 506 on any call leads to signing in again, once: many calls may get it at the same moment, and the answer
 * to a call made with an old session must not throw out a new one.
 */
import { lookKey } from '@atoll/contract/wire'
import type { Account } from '../session/account.ts'
import { currentAccount, endSession, lockedPage } from '../session/account-store.ts'

type Listener = (account: Account | undefined) => void
let listener: Listener | undefined
/** The session already led to the sign-in page. */
let announcedToken: string | undefined

/** The function that leads to the sign-in page; set once by the router. */
export function onSignedOut(callback: Listener): void {
  listener = callback
}

/** A call made as `account` was answered 506. */
export function announceSignedOut(account: Account | undefined): void {
  const current = currentAccount()
  if (account?.token !== current?.token) return
  if (current?.look) {
    // The staff member's own session is over, and the tab is theirs again.
    sessionStorage.removeItem(lookKey)
    location.reload()
    return
  }
  if (current) {
    if (announcedToken === current.token) return
    announcedToken = current.token
    endSession(current)
    // A locked page asks to sign in again itself, over what was typed.
    if (lockedPage()) return
  }
  listener?.(current)
}
