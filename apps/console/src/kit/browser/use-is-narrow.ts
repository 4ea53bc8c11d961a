import { useCallback, useSyncExternalStore } from 'react'

/** Below 768 px (spec §2): the width under which the style sheets lay the page out for a phone. */
const narrow = '(max-width: 47.99em)'
/** Above that and below 1200 px, where a table leaves some of its columns out: as in its style sheet. */
const middle = '(min-width: 48em) and (max-width: 74.99em)'

/**
 * Whether the page is laid out for a phone. For what one of both layouts has alone, such as the sidebar: hidden by
 * style only, it would be drawn all the same, before home can be used.
 */
export function useIsNarrow(): boolean {
  return useMatches(narrow)
}

/** Whether this is a phone, which cannot scan its own screen: narrow, and used by touch. */
export function useIsPhone(): boolean {
  return useMatches(`${narrow} and (pointer: coarse)`)
}

/** Whether a table leaves out the columns that only a wide window has room for. */
export function useIsMiddle(): boolean {
  return useMatches(middle)
}

function useMatches(query: string): boolean {
  const follow = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(
    follow,
    () => matchMedia(query).matches,
    () => false,
  )
}
