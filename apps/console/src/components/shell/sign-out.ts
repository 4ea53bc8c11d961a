import { logout } from '@atoll/contract'
import type { Account } from '../../accounts/account.ts'
import { removeAccount } from '../../accounts/account-store.ts'
import { CallFailure } from '../../api/call-failure.ts'
import { callApi } from '../../api/client.ts'
import { queryKeys } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'

/**
 * Forgets the account in this browser, every tab at once, and ends its session. In this order: a tab that still held the
 * account when its session ends would take it for one that expired.
 */
export async function signOut(account: Account): Promise<void> {
  removeAccount(account.userid)
  queryClient.removeQueries({ queryKey: queryKeys.account(account.userid) })
  try {
    await callApi(logout, {}, undefined, account)
  } catch (error) {
    // The person is out of this browser, reachable server or not; a session left behind runs out by itself.
    if (!(error instanceof CallFailure)) throw error
  }
}
