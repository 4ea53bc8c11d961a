import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Focuses the page's heading, without scrolling. */
export function focusPageTitle(): void {
  document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
}

/**
 * Moves focus to the page's heading when the path changes, so that a screen reader says where one is and Tab goes on from
 * there. Not on the first load, and not when only the search changes.
 */
export function useRouteFocus(): void {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (path === undefined || before.current === path) return
    const first = before.current === undefined
    before.current = path
    if (!first) focusPageTitle()
  }, [path])
}
