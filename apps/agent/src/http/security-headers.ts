import type { ServerResponse } from 'node:http'

/** For answers that are no pages: nothing in them may load, run or be framed. */
const inertPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Set on every answer before its route runs; a route may replace them. */
export function setSecurityHeaders(res: ServerResponse): void {
  res.setHeader('content-security-policy', inertPolicy)
  res.setHeader('x-content-type-options', 'nosniff')
  res.setHeader('referrer-policy', 'no-referrer')
  res.setHeader('cross-origin-opener-policy', 'same-origin')
  res.setHeader('cross-origin-resource-policy', 'same-origin')
  res.setHeader('permissions-policy', 'camera=(), microphone=(), geolocation=()')
}

/** The page's policy: our files only, and the style elements that carry `nonce` (the theme makes some). */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    // Previews of PDF; all other answers refuse to be framed.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
