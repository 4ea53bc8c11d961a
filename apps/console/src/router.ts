import { createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { onSignedOut } from './api/signed-out.ts'
import { routeTree } from './routeTree.gen.ts'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries decide what is stale, not the router.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: lazyRouteComponent(() => import('./components/PageFailure.tsx'), 'PageFailure'),
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
