import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useCurrentAccount } from '../../accounts/account-store.ts'
import { queryClient } from '../../api/query-client.ts'
import { useText } from '../../i18n/text.ts'
import { ClusterDialogsProvider } from '../actions/ClusterDialogs.tsx'
import classes from './AppShell.module.css'
import { BottomBar } from './BottomBar.tsx'
import { LiveChanges } from './LiveChanges.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'
import { useRouteFocus } from './use-route-focus.ts'

/** Sidebar, header and the page; below 768 px a bottom bar. Everything here needs an account. */
export function AppShell() {
  const t = useText()
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
      <LiveChanges account={account} />
      <ClusterDialogsProvider>
        <div className={classes.app}>
          <a className={classes.skip} href="#page">
            {t('shell.skip')}
          </a>
          <Sidebar account={account} />
          <div className={classes.column}>
            <TopBar account={account} />
            <OfflineBanner />
            <main id="page" className={classes.page} tabIndex={-1}>
              <Outlet />
            </main>
          </div>
          <BottomBar account={account} />
        </div>
      </ClusterDialogsProvider>
    </QueryClientProvider>
  )
}
