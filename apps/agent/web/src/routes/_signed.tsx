import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Shell } from '../components/Shell.tsx'
import { useTitle } from '../components/use-title.ts'
import { requireSession } from '../server-state.ts'

/** Everything behind the password. */
export const Route = createFileRoute('/_signed')({
  beforeLoad: ({ location }) => requireSession(location.href),
  component: Inside,
})

function Inside() {
  const { status, session } = Route.useRouteContext()
  useTitle(status)
  return (
    <Shell status={status} name={session.name ?? ''} did={session.did ?? ''}>
      <Outlet />
    </Shell>
  )
}
