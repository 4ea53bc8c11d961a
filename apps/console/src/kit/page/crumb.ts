/** The breadcrumb's last word, where a page says it itself: of backups, say, the shell has no list. */
import { useLayoutEffect, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let current: string | undefined

function change(name: string | undefined): void {
  current = name
  for (const listener of listeners) listener()
}

/** Ends the breadcrumb with `name` for as long as the component is there. */
export function useCrumb(name: string): void {
  useLayoutEffect(() => {
    change(name)
    return () => change(undefined)
  }, [name])
}

/** The page's own crumb; the component draws again when it changes. */
export function useCurrentCrumb(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
