import { useSyncExternalStore } from 'react'

const isOnline = () => navigator.onLine

/**
 * Whether the browser has a network. Known at the first drawing: a hook that finds out after it has the page drawn
 * twice.
 */
export function useOnline(): boolean {
  return useSyncExternalStore(follow, isOnline, isOnline)
}

function follow(tell: () => void): () => void {
  addEventListener('online', tell)
  addEventListener('offline', tell)
  return () => {
    removeEventListener('online', tell)
    removeEventListener('offline', tell)
  }
}
