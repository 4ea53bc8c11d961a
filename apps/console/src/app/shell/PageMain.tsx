import { useIsFetching } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { leaveFor } from '../../kit/page/came-from.ts'
import { PageNotice } from '../../kit/page/PageNotice.tsx'
import { useCurrentAccount } from '../../session/account-store.ts'
import { noteVisit } from '../palette/recent-objects.ts'

interface PageMainProps {
  className: string | undefined
  /** Above the page. */
  children?: ReactNode
}

/** Where pages are drawn. Busy while a page's code or what it is about is awaited, also before a skeleton says so. */
export function PageMain({ className, children }: PageMainProps) {
  const isOpening = useRouterState({ select: ({ isLoading }) => isLoading })
  const isWaiting = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  const here = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.href })
  const userid = useCurrentAccount()?.userid
  useEffect(() => {
    if (here === undefined) return undefined
    if (userid !== undefined) noteVisit(userid, here)
    return () => leaveFor(here)
  }, [here, userid])
  return (
    <main id="page" className={className} tabIndex={-1} aria-busy={isOpening || isWaiting || undefined}>
      {children}
      <PageNotice />
      <Outlet />
    </main>
  )
}
