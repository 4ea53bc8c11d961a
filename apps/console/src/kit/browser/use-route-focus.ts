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
 * Moves focus to the page's heading when the path changes, so that a screen reader says where one is and Tab goes on
 * from there. A page that is still loading gets it once its heading is there. Focus that a person moved elsewhere
 * meanwhile stays there: the next key would be another control's. Not on the first load, and not when only the search
 * changes.
 */
export function useRouteFocus(): void {
  const asked = useRouterState({ select: (state) => state.location.pathname })
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef(path)
  /** Since the page was asked for the person tabbed or pressed somewhere. */
  const moved = useRef(false)

  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Tab') moved.current = true
    }
    const onPress = () => {
      moved.current = true
    }
    addEventListener('keydown', onKey, true)
    addEventListener('pointerdown', onPress, true)
    return () => {
      removeEventListener('keydown', onKey, true)
      removeEventListener('pointerdown', onPress, true)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the asking for another page that counts
  useEffect(() => {
    moved.current = false
  }, [asked])

  useEffect(() => {
    if (path === undefined || before.current === path) return
    const first = before.current === undefined
    before.current = path
    const isElsewhere = () => moved.current && document.activeElement !== document.body
    if (first || isElsewhere() || focusPageTitle()) return
    const waiting = new MutationObserver(() => {
      const isThere = document.activeElement?.closest('main, [role="dialog"], input')
      if (isThere || isElsewhere() || focusPageTitle()) waiting.disconnect()
    })
    waiting.observe(document.body, { childList: true, subtree: true })
    return () => waiting.disconnect()
  }, [path])
}
