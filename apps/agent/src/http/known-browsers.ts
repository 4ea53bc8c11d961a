/**
 * Browsers in which the owner signed in before. They carry a cookie of their own, which outlasts the session and opens
 * nothing: it only spares them the bound on tries over all visitors, so that guessers with many addresses cannot keep
 * the owner out (OWASP, "Device cookies"). It is made with the password's hash: a new password forgets every browser,
 * and nothing about it has to be stored.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const lifetimeSeconds = 365 * 24 * 3600

/** Set-Cookie header for a browser in which the owner just signed in. */
export function knownBrowserCookie(passwordHash: string, isSecure: boolean): string {
  const id = randomBytes(16).toString('base64url')
  const name = isSecure ? '__Host-known' : 'known'
  const rest = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${lifetimeSeconds}${isSecure ? '; Secure' : ''}`
  return `${name}=${id}.${markOf(id, passwordHash)}; ${rest}`
}

/** The name of this browser among those known; undefined for any other. */
export function findKnownBrowser(req: IncomingMessage, passwordHash: string): string | undefined {
  for (const pair of (req.headers.cookie ?? '').split(';', 50)) {
    const [, id, mark] = /^\s*(?:__Host-)?known=([\w-]{22})\.([\w-]{43})$/.exec(pair) ?? []
    if (id && mark && timingSafeEqual(Buffer.from(mark), Buffer.from(markOf(id, passwordHash)))) return id
  }
  return undefined
}

function markOf(id: string, passwordHash: string): string {
  const key = createHash('sha256').update(`known browser ${passwordHash}`).digest()
  return createHmac('sha256', key).update(id).digest('base64url')
}
