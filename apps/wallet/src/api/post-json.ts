/**
 * The one place the wallet sends or asks anything over the network. No addresses leak, and no cookies travel but the
 * one that names this browser to this wallet's own deployment (`own-site.ts`).
 */
import { identityTimeoutMs } from '@atoll/contract/wire'
import { currentLocale } from '../i18n/language.ts'

/** `body` is whatever JSON came back, unchecked; undefined when it was none. */
export type Answer = { kind: 'answered'; ok: boolean; body: unknown } | { kind: 'unreachable' }

async function request(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { ...init.headers, 'Accept-Language': currentLocale() },
      credentials: init.credentials ?? 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: AbortSignal.timeout(identityTimeoutMs),
    })
    const body: unknown = await response.json().catch(() => undefined)
    return { kind: 'answered', ok: response.ok, body }
  } catch {
    // fetch reports a refused connection, a time-out and a missing CORS header alike; neither says more.
    return { kind: 'unreachable' }
  }
}

export function postJson(url: string, body: unknown, credentials: 'omit' | 'include' = 'omit'): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' }
  return request(url, { method: 'POST', headers, body: JSON.stringify(body), credentials })
}

export function getJson(url: string): Promise<Answer> {
  return request(url, {})
}
