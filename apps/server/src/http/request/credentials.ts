import { syncCookieName } from '@atoll/contract/wire'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../platform/refusal.ts'
import { cookieOf } from './browser-cookie.ts'

/**
 * The claimed caller, for endpoints that are no calls: headers, as calls have them; or the `syncToken` cookie with
 * `?userid=`, for addresses that a browser opens without script. Not verified yet.
 */
export function credentialsOf(request: FastifyRequest): { userid: string; token: string } {
  const { userid, token } = request.headers
  if (typeof userid === 'string' && typeof token === 'string') return { userid, token }
  const query = request.query as Record<string, unknown> // Fastify's own parser gives a flat object
  const named = typeof query['userid'] === 'string' ? query['userid'] : ''
  try {
    return { userid: named, token: decodeURIComponent(cookieOf(request, syncCookieName) ?? '') }
  } catch {
    // The value is not percent-encoded text, so it cannot be one of our tokens.
    return refuse('signedOut')
  }
}
