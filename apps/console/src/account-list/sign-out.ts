/**
 * Forgetting accounts in this browser, every tab at once, and ending their sessions. In this order: a tab that still
 * had an account stored when its session ends would take it for one that expired.
 */
import { logout } from '@atoll/contract/accounts'
import { serverNow } from '../config/runtime-config.ts'
import { CallFailure } from '../data/call-failure.ts'
import { callApi } from '../data/client.ts'
import { queryClient } from '../data/query-client.ts'
import { type Account, isExpired } from '../session/account.ts'
import { removeAccount, removeAllAccounts, storedAccounts } from '../session/account-store.ts'

export async function signOut(account: Account): Promise<void> {
  removeAccount(account.userid)
  await end(account)
}

export async function signOutAll(): Promise<void> {
  const accounts = storedAccounts()
  removeAllAccounts()
  await Promise.all(accounts.map(end))
}

async function end(account: Account): Promise<void> {
  queryClient.removeQueries({ queryKey: [account.userid] })
  if (isExpired(account, serverNow())) return
  try {
    await callApi(logout, {}, undefined, account)
  } catch (error) {
    // The person is out of this browser, reachable server or not; a session left behind expires.
    if (!(error instanceof CallFailure)) throw error
  }
}
