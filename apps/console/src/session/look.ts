/**
 * The customer as whom this tab shows the console to staff, who can change nothing there. Only the tab knows it, and it
 * holds no session: that is the staff member's own, of the stored accounts.
 */
import { lookKey } from '@atoll/contract/wire'
import type { Account } from './account.ts'

/** All of an account but the session. */
export type Looked = Omit<Account, 'token' | 'expired'> & Required<Pick<Account, 'look'>>

/** Undefined in every other tab, and once the staff member is not signed in here. Throws where storage is blocked. */
export function readLook(accounts: readonly Account[]): Account | undefined {
  const looked: Looked | null = JSON.parse(sessionStorage.getItem(lookKey) ?? 'null')
  const staff = accounts.find(({ userid }) => userid === looked?.look.by)
  return staff && { ...staff, ...looked }
}
