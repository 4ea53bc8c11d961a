import { createRootRoute, Outlet } from '@tanstack/react-router'
import { RouteAnnouncer } from '../components/RouteAnnouncer.tsx'
import { NotFoundPage } from '../pages/not-found/NotFoundPage.tsx'

export const Route = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })

function Root() {
  return (
    <>
      <Outlet />
      <RouteAnnouncer />
    </>
  )
}
