import { syncCookieName } from '@atoll/contract/wire'
import type { Account } from './account.ts'

interface CookieOptions {
  /** The page came over https. */
  secure: boolean
  /** A time of the server, ms, as this device's clock says it: by that clock the browser lets the cookie expire. */
  toDeviceTime: (serverMs: number) => number
}

/** `document.cookie` text that holds the session until it expires, or removes it without an account (spec §4, §9). */
export function syncCookie(account: Account | undefined, { secure, toDeviceTime }: CookieOptions): string {
  const value = account ? encodeURIComponent(account.token) : ''
  const expires = new Date(account ? toDeviceTime(account.expired) : 0).toUTCString()
  return `${syncCookieName}=${value}; path=/; expires=${expires}; SameSite=Strict${secure ? '; Secure' : ''}`
}
