import { syncCookieName } from '@atoll/contract'
import type { Account } from './account.ts'

/** `document.cookie` text that holds the session until it expires, or removes it without an account (spec §9). */
export function syncCookie(account: Account | undefined, secure: boolean): string {
  const value = account ? encodeURIComponent(account.token) : ''
  const expires = new Date(account?.expired ?? 0).toUTCString()
  return `${syncCookieName}=${value}; path=/; expires=${expires}; SameSite=Strict${secure ? '; Secure' : ''}`
}
