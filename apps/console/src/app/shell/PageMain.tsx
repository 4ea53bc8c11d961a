import { useIsFetching } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface PageMainProps {
  className: string | undefined
  /** Above the page. */
  children?: ReactNode
}

/** Where pages are drawn. Busy while a page's code or what it is about is awaited, also before a skeleton says so. */
export function PageMain({ className, children }: PageMainProps) {
  const isOpening = useRouterState({ select: ({ isLoading }) => isLoading })
  const isWaiting = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  return (
    <main id="page" className={className} tabIndex={-1} aria-busy={isOpening || isWaiting || undefined}>
      {children}
      <Outlet />
    </main>
  )
}
