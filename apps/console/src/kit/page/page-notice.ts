/**
 * A green notice above the page that a person is brought to: the result of what was done on another one. It is shown
 * at its address alone, and is over once another page is reached.
 */
import { useSyncExternalStore } from 'react'

interface PageNoticeText {
  /** The address it belongs to, without a query. */
  path: string
  text: string
}

const listeners = new Set<() => void>()
let shown: PageNoticeText | undefined

function change(next: PageNoticeText | undefined): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows `text` at `path` from when that page is reached until it is left. */
export function sayOnPage(path: string, text: string): void {
  change({ path, text })
}

/** `path` is left: its notice is over. */
export function leaveNotice(path: string): void {
  if (shown?.path === path) change(undefined)
}

/** The notice at `path`; undefined: there is none. */
export function usePageNotice(path: string): string | undefined {
  const notice = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
    () => shown,
  )
  return notice?.path === path ? notice.text : undefined
}
