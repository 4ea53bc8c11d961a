import { createRouter } from '@tanstack/react-router'
import { watchForIdleness } from './keys/auto-lock.ts'
import { keychain } from './keys/use-keychain.ts'
import { FailureScreen } from './kit/screens/FailureScreen.tsx'
import { MissingScreen } from './kit/screens/MissingScreen.tsx'
import { routeTree } from './routeTree.gen.ts'

export function createWalletRouter() {
  const router = createRouter({
    routeTree,
    scrollRestoration: true,
    defaultNotFoundComponent: MissingScreen,
    defaultErrorComponent: FailureScreen,
  })
  watchForIdleness(keychain, localStorage)
  // A wallet that locks, or that another tab erased, leaves the page it is on by that page's own guard.
  let locked = keychain.getState().locked
  keychain.subscribe(() => {
    const now = keychain.getState().locked
    if (now && !locked) void router.invalidate()
    locked = now
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createWalletRouter>
  }
}
