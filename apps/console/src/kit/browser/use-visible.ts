import { useSyncExternalStore } from 'react'

const isVisible = () => document.visibilityState === 'visible'

/** Whether this tab is the visible one. Known at the first drawing, as a tab may be opened behind another. */
export function useVisible(): boolean {
  return useSyncExternalStore(follow, isVisible, isVisible)
}

function follow(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify)
  return () => document.removeEventListener('visibilitychange', notify)
}
