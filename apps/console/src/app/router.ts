import { createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { onSignedOut } from '../data/signed-out.ts'
import { routeTree } from './routeTree.gen.ts'
import { StartFailure } from './StartFailure.tsx'

/**
 * Fetched ahead by the shell: without a network there would be nothing to fetch it from. It shares the file of the
 * signed-in pages; where that cannot be had, the start shows its own failure.
 */
const pageFailure = lazyRouteComponent(
  () => import('./page-failure/PageFailure.tsx').catch(() => ({ PageFailure: StartFailure })),
  'PageFailure',
)
const notFound = lazyRouteComponent(() => import('./not-found/NotFoundPage.tsx'), 'NotFoundPage')

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Queries decide what is stale, not the router.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: pageFailure,
  // The catch-all `$` draws unknown addresses; one that cannot be decoded is none of its either.
  defaultNotFoundComponent: notFound,
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
