import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Focuses the page's heading, without scrolling; says whether there is one. */
export function focusPageTitle(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return false
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}

/**
 * Moves focus to the page's heading when the path changes, so that a screen reader says where one is and Tab goes on from
 * there. A page that is still loading gets it once its heading is there, unless the person has gone elsewhere meanwhile.
 * Not on the first load, and not when only the search changes.
 */
export function useRouteFocus(): void {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (path === undefined || before.current === path) return
    const first = before.current === undefined
    before.current = path
    if (first || focusPageTitle()) return
    const waiting = new MutationObserver(() => {
      const elsewhere = document.activeElement?.closest('main, [role="dialog"], input')
      if (elsewhere || focusPageTitle()) waiting.disconnect()
    })
    waiting.observe(document.body, { childList: true, subtree: true })
    return () => waiting.disconnect()
  }, [path])
}
