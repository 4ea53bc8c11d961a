import { useSyncExternalStore } from 'react'

const isVisible = () => document.visibilityState === 'visible'

/** Whether this tab is the one that is looked at. Known at the first drawing, as a tab may be opened behind another. */
export function useVisible(): boolean {
  return useSyncExternalStore(follow, isVisible, isVisible)
}

function follow(tell: () => void): () => void {
  document.addEventListener('visibilitychange', tell)
  return () => document.removeEventListener('visibilitychange', tell)
}
