import { useSyncExternalStore } from 'react'

/** Below 768 px (spec §2): the width under which the style sheets lay the page out for a phone. */
const narrow = '(max-width: 47.99em)'

/**
 * Whether the page is laid out for a phone. For what one of both layouts has alone, such as the sidebar: hidden by style only,
 * it would be drawn all the same, before home can be used.
 */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(follow, () => matchMedia(narrow).matches)
}

function follow(onChange: () => void): () => void {
  const query = matchMedia(narrow)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
