/**
 * The `redirect` query of the sign-in page: only a path of this site is followed, so that a link to our sign-in page
 * cannot send a person elsewhere afterwards. Returns the path with its query, or undefined.
 */
export function safeRedirect(value: unknown, origin: string): string | undefined {
  if (typeof value !== 'string' || value.length > 2048 || !value.startsWith('/')) return undefined
  // Browsers read "/\host" and "/<tab>/host" as "//host".
  if (/^\/[/\\]/.test(value) || /[\p{Cc}\\]/u.test(value)) return undefined
  const url = URL.canParse(value, origin) ? new URL(value, origin) : undefined
  if (!url || url.origin !== new URL(origin).origin) return undefined
  // "/.//host" is a path here, and what is left of it once its dots are resolved, "//host", is another site.
  if (url.pathname.startsWith('//')) return undefined
  if (leadsToSignIn(url.pathname)) return undefined
  return url.pathname + url.search + url.hash
}

/** Back to the sign-in page would be a circle. The router knows it in capitals and escaped too. */
function leadsToSignIn(pathname: string): boolean {
  const first = pathname.split('/')[1] ?? ''
  try {
    return decodeURIComponent(first).toLowerCase() === 'login'
  } catch {
    // Not well escaped: it names no page.
    return false
  }
}

/** Whether a path names the account `did`, written as it is or escaped. A path need not be well escaped to be one. */
export function namesAccount(path: string, did: string): boolean {
  return path.includes(did) || path.toLowerCase().includes(encodeURIComponent(did).toLowerCase())
}
