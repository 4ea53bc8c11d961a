import { createRouter } from '@tanstack/react-router'
import { FailurePage } from './components/FailurePage.tsx'
import { MissingPage } from './components/MissingPage.tsx'
import { routeTree } from './routeTree.gen.ts'

export function createServerRouter() {
  return createRouter({
    routeTree,
    scrollRestoration: true,
    defaultErrorComponent: FailurePage,
    defaultNotFoundComponent: MissingPage,
    // A folder that answers at once must not flash a skeleton.
    defaultPendingMs: 200,
    defaultPendingMinMs: 200,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createServerRouter>
  }
}
