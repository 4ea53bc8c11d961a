import { createRootRoute, Outlet } from '@tanstack/react-router'
import { RouteAnnouncer } from '../shell/RouteAnnouncer.tsx'

/** Addresses that no route has are drawn by the catch-all, `$`. */
export const Route = createRootRoute({ component: Root })

function Root() {
  return (
    <>
      <Outlet />
      <RouteAnnouncer />
    </>
  )
}
