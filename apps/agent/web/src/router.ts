import { createRouter } from '@tanstack/react-router'
import { onSignedOut } from './api/call.ts'
import { FailurePage } from './components/FailurePage.tsx'
import { MissingPage } from './components/MissingPage.tsx'
import { routeTree } from './routeTree.gen.ts'
import { forgetServerState } from './server-state.ts'

export function createServerRouter() {
  const router = createRouter({
    routeTree,
    scrollRestoration: true,
    defaultErrorComponent: FailurePage,
    defaultNotFoundComponent: MissingPage,
    // A folder that answers at once must not flash a skeleton.
    defaultPendingMs: 200,
    defaultPendingMinMs: 200,
  })
  onSignedOut(() => {
    forgetServerState()
    // The guard of the page that is open leads to signing in, and back here afterwards.
    void router.invalidate()
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createServerRouter>
  }
}
