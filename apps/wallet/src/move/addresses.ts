/** The two pages of a move, which send each other what they say in fragments: those reach no server. */
export function handOverUrl(origin: string, page: '/move' | '/receive', said: Record<string, string>): string {
  return `${origin}${page}#${new URLSearchParams(said)}`
}

/** Reads the fragment of the other page. */
export function heard(fragment: string): { get(name: string): string } {
  const parts = new URLSearchParams(fragment)
  return { get: (name) => parts.get(name) ?? '' }
}

/** Goes there in place of this page, which is not for going back to. Never answers: the page ends. */
export function goOn(url: string): Promise<never> {
  window.location.replace(url)
  return new Promise(() => undefined)
}

/**
 * Where a page at a former origin leads whose wallet was moved, or which never had one: to the same page at the
 * present origin.
 */
export function samePageAt(origin: string): string {
  const { pathname, search, hash } = window.location
  return pathname === '/move' ? handOverUrl(origin, '/receive', { end: 'empty' }) : origin + pathname + search + hash
}
