import { useMatchRoute } from '@tanstack/react-router'

export interface Surroundings {
  /** Where clusters are listed. */
  home: '/' | '/instanceMobile'
  /** Where one is created. */
  create: '/create/{-$uid}' | '/createMobile/{-$uid}'
}

/**
 * Where a page leads on to: one without shell, in the wallet's web view, to others without (spec §2, mobile variants).
 */
export function useSurroundings(): Surroundings {
  const match = useMatchRoute()
  const bare = match({ to: '/createMobile/{-$uid}' }) !== false || match({ to: '/instanceMobile' }) !== false
  return bare ? { home: '/instanceMobile', create: '/createMobile/{-$uid}' } : { home: '/', create: '/create/{-$uid}' }
}
