import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Fragment, lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { Account } from '../../accounts/account.ts'
import { findAccount, useCurrentAccount, useHeldPage } from '../../accounts/account-store.ts'
import { queryKeys } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { ClusterDialogsProvider } from '../actions/ClusterDialogs.tsx'
import { LiveChanges } from './LiveChanges.tsx'

const HeldPage = lazy(() => import('../../pages/login/HeldPage.tsx').then((module) => ({ default: module.HeldPage })))

interface AccountScopeProps {
  children: (account: Account) => ReactNode
}

/**
 * Everything that is shown as one account: its data, live, and what was opened or typed. Another account starts anew, so
 * that nothing of one is ever drawn under the other's name.
 */
export function AccountScope({ children }: AccountScopeProps) {
  const router = useRouter()
  const account = useCurrentAccount()
  const held = useHeldPage()
  const token = account?.token

  // Signed out, or out and in as someone else, in this tab or another: the guard decides again. Not over a held page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the token whose change matters
  useEffect(() => {
    if (!held) void router.invalidate()
  }, [token, held, router])

  if (!account) return null
  return (
    <QueryClientProvider client={queryClient}>
      <Fragment key={account.userid}>
        {!held && <LiveChanges account={account} />}
        <DropOnLeaving userid={account.userid} />
        <ClusterDialogsProvider>{children(account)}</ClusterDialogsProvider>
        {held && (
          <Suspense>
            <HeldPage account={held} />
          </Suspense>
        )}
      </Fragment>
    </QueryClientProvider>
  )
}

/** When the page becomes another account's, what was asked for this one is no longer awaited, or forgotten with it. */
function DropOnLeaving({ userid }: { userid: string }) {
  useEffect(() => {
    const filter = { queryKey: queryKeys.account(userid) }
    return () => {
      void queryClient.cancelQueries(filter)
      if (!findAccount(userid)) queryClient.removeQueries(filter)
    }
  }, [userid])
  return null
}
