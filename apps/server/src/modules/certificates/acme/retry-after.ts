/** Seconds or a date (RFC 9110, 10.2.3); ms. */
export function readRetryAfter(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
