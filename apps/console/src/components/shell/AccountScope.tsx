import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Fragment, type ReactNode, useEffect } from 'react'
import type { Account } from '../../accounts/account.ts'
import { useCurrentAccount } from '../../accounts/account-store.ts'
import { queryClient } from '../../api/query-client.ts'
import { ClusterDialogsProvider } from '../actions/ClusterDialogs.tsx'
import { LiveChanges } from './LiveChanges.tsx'
import { useRouteFocus } from './use-route-focus.ts'

interface AccountScopeProps {
  children: (account: Account) => ReactNode
}

/** Everything that is shown as one account: its data, live, and what was opened or typed. Another account starts anew. */
export function AccountScope({ children }: AccountScopeProps) {
  const router = useRouter()
  const account = useCurrentAccount()
  const token = account?.token
  useRouteFocus()

  // Signed out, or out and in as someone else, in this tab or another: the guard decides again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the token whose change matters
  useEffect(() => {
    void router.invalidate()
  }, [token, router])

  if (!account) return null
  return (
    <QueryClientProvider client={queryClient}>
      <Fragment key={account.userid}>
        <LiveChanges account={account} />
        <ClusterDialogsProvider>{children(account)}</ClusterDialogsProvider>
      </Fragment>
    </QueryClientProvider>
  )
}
