import { logout } from '@atoll/contract'
import { useState } from 'react'
import type { Account } from '../../accounts/account.ts'
import { removeAccount } from '../../accounts/account-store.ts'
import { CallFailure } from '../../api/call-failure.ts'
import { callApi } from '../../api/client.ts'
import { queryKeys } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'

/** Ends the session and forgets the account in this browser. */
export function useSignOut(account: Account): { busy: boolean; run: () => void } {
  const [busy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    try {
      await callApi(logout, {})
    } catch (error) {
      // The person wants out of this browser, reachable server or not; a session left behind runs out by itself.
      if (!(error instanceof CallFailure)) throw error
    }
    queryClient.removeQueries({ queryKey: queryKeys.account(account.userid) })
    removeAccount(account.userid)
  }
  return { busy, run: () => void run() }
}
