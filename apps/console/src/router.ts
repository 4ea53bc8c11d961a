import { createRouter } from '@tanstack/react-router'
import { onSignedOut } from './api/signed-out.ts'
import { PageFailure } from './components/PageFailure.tsx'
import { routeTree } from './routeTree.gen.ts'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries decide what is stale, not the router.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // Not loaded when needed: without a network there would be nothing to load it from.
  defaultErrorComponent: PageFailure,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

onSignedOut((account) => {
  const search = { redirect: router.state.location.href }
  if (account) void router.navigate({ to: '/login/$did', params: { did: account.userid }, search })
  else void router.navigate({ to: '/login', search })
})
