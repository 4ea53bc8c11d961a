import { QueryClientProvider } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ClusterDialogsProvider } from '../../clusters/actions/ClusterDialogs.tsx'
import { queryClient } from '../../data/query-client.ts'
import { FirstIdleProvider } from '../../kit/browser/first-idle.tsx'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import type { Account } from '../../session/account.ts'
import { findAccount, useCurrentAccount, useLockedPage } from '../../session/account-store.ts'
import { LiveChanges } from './LiveChanges.tsx'
import { ReaderZone } from './ReaderZone.tsx'

const loadLockedPage = () => import('../../signin/LockedPage.tsx').then(({ LockedPage }) => LockedPage)
/** Between two tries to load what covers a locked page, ms: until then it makes no call, and keeps what is typed. */
const coverRetryMs = 3000

interface AccountScopeProps {
  children: (account: Account) => ReactNode
}

/**
 * Everything that is shown as one account: its data, live, and its opened or typed parts. Another account starts fresh,
 * so that nothing of one is ever drawn under the other's name.
 */
export function AccountScope({ children }: AccountScopeProps) {
  const router = useRouter()
  const account = useCurrentAccount()
  const locked = useLockedPage()
  const token = account?.token

  // Signed out, or out and in as someone else, in this tab or another: the guard decides again. Not over a locked page.
  const isFirst = useRef(true)
  useEffect(() => {
    // The guard has just let this page in.
    const isEntering = isFirst.current && token !== undefined
    isFirst.current = false
    if (!locked && !isEntering) void router.invalidate()
  }, [token, locked, router])

  if (!account) return null
  return (
    <QueryClientProvider client={queryClient}>
      <FirstIdleProvider key={account.userid}>
        {!locked && <LiveChanges account={account} />}
        {!locked && <ReaderZone account={account} />}
        <DropOnLeaving userid={account.userid} />
        <ClusterDialogsProvider>{children(account)}</ClusterDialogsProvider>
        {locked && <Cover account={locked} />}
      </FirstIdleProvider>
    </QueryClientProvider>
  )
}

/** The cover of a locked page. The page cannot go on without it: it is loaded until it is there. */
function Cover({ account }: { account: Account }) {
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (!isMissing) return
    const timer = setTimeout(() => setMissing(false), coverRetryMs)
    return () => clearTimeout(timer)
  }, [isMissing])
  return <LazyPart load={loadLockedPage} wanted={!isMissing} onFailure={() => setMissing(true)} props={{ account }} />
}

/** When the page becomes another account's, what was asked for this one is no longer awaited, or forgotten with it. */
function DropOnLeaving({ userid }: { userid: string }) {
  useEffect(() => {
    const filter = { queryKey: [userid] }
    return () => {
      void queryClient.cancelQueries(filter)
      if (!findAccount(userid)) queryClient.removeQueries(filter)
    }
  }, [userid])
  return null
}
