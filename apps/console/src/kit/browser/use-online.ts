import { useSyncExternalStore } from 'react'

const isOnline = () => navigator.onLine

/**
 * Whether the browser has a network. Known at the first drawing: a hook that finds out after it has the page drawn
 * twice.
 */
export function useOnline(): boolean {
  return useSyncExternalStore(follow, isOnline, isOnline)
}

function follow(notify: () => void): () => void {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}
