import { type Ca, isCaFault, type RenewalWindow } from '../acme/ca.ts'
import type { CertificateRow } from '../stores/certificate-store.ts'
import { type Lifetime, ownRule, type Renewal } from './renewal.ts'

const hourMs = 60 * 60_000
/** The authority's own word for when to ask again is heeded within these (RFC 9773, 4.3); ms. */
const soonestMs = 60_000
const latestMs = 24 * hourMs
/** Where it gives none, or no answer; ms. */
const unsaidMs = 6 * hourMs
/** An authority that would have each certificate replaced at once must not be ordered from without an end; ms. */
const youngestMs = 6 * hourMs

/**
 * When to renew what is served: a moment in the time that the authority suggests, the same one for as long as it lies
 * in it. Without a suggestion it is our own rule, and an authority that gives no answer now changes nothing.
 * `random`: 0 to 1.
 */
export async function planRenewal(
  ca: Pick<Ca, 'renewalOf'>,
  row: Pick<CertificateRow, 'chain' | 'renew_at'>,
  { served, now, random = Math.random }: { served: Lifetime; now: Date; random?: () => number },
): Promise<Renewal> {
  const rule = ownRule(served)
  const after = (ms: number) => new Date(now.getTime() + ms)
  let window: RenewalWindow | undefined
  try {
    window = row.chain === null ? undefined : await ca.renewalOf(row.chain)
  } catch (error) {
    if (!isCaFault(error)) throw error
    return { at: row.renew_at ?? rule.at, chosen: row.renew_at, lookAt: after(inBounds(error.retryAfterMs)) }
  }
  if (!window) return rule
  const chosen = choose(window, row.renew_at, served, random)
  return { at: chosen, chosen, lookAt: after(inBounds(window.retryAfterMs)) }
}

function choose({ start, end }: RenewalWindow, before: Date | null, served: Lifetime, random: () => number): Date {
  if (before && before >= start && before <= end) return before
  const moment = start.getTime() + random() * (end.getTime() - start.getTime())
  // Whatever is suggested, there is time to try for long before it ends.
  const last = served.notAfter.getTime() - (served.notAfter.getTime() - served.notBefore.getTime()) / 6
  return new Date(Math.min(Math.max(moment, served.notBefore.getTime() + youngestMs), last))
}

function inBounds(ms = unsaidMs): number {
  return Math.min(Math.max(ms, soonestMs), latestMs)
}
