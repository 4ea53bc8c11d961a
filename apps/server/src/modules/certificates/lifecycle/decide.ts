/**
 * Decides the next step of a certificate.
 *
 * States   no order: nothing to do until one is due, then it is placed (unless the name is no longer visited) ·
 *          open order: its state at the authority (pending, ready, processing, valid, invalid) · issued ·
 *          unwanted: served until it ends, then removed.
 * Writers  job.ts alone, each step in one transaction that is written only if the row is unchanged since it was read.
 * Repeats  pure. A killed worker leaves the order's address and key in a row; the next one asks the authority for the
 *          order's state. Repeating a request to the authority (answer, finalize) changes nothing there.
 */
import type { HttpsProblem } from '@atoll/contract/domains'
import type { CaFault, CaOrder } from '../acme/ca.ts'
import { type Lifetime, ownRule, type Renewal } from './renewal.ts'

export interface CertificateFacts {
  now: Date
  isWanted: boolean
  /** The domain does not point here, or not yet in the way that this one is proven by: nothing is ordered. */
  isLost: boolean
  /** A visit asked for it, and nobody came for 30 days. */
  isUnvisited?: boolean
  /** The certificate being served; undefined: none, or its key cannot be opened. */
  served?: Lifetime | undefined
  /** When to renew what is served, asked when something is due and no order is open; undefined: our own rule. */
  renewal?: Pick<Renewal, 'at' | 'lookAt'> | undefined
  /** Nothing is tried before. */
  nextTryAt: Date
  /** Why no order may be made now; checked when one is due. */
  obstacle?: { problem: HttpsProblem; until?: Date | undefined } | undefined
  order?:
    | {
        createdAt: Date
        /** Tokens that our servers are to answer. */
        published: readonly string[]
        /** Whether they do. */
        isAnswered: boolean
        /** The order as the authority reports it. */
        seen?: CaOrder | undefined
        fault?: CaFault | undefined
      }
    | undefined
}

export type CertificateStep =
  | { kind: 'rest' }
  | { kind: 'wait'; until: Date }
  | { kind: 'drop' }
  /** Notes when it is renewed; nothing is to be done before `until`. */
  | { kind: 'plan'; until: Date }
  | { kind: 'order' }
  /** Has our servers answer the challenges. */
  | { kind: 'publish' }
  | { kind: 'answer'; urls: string[] }
  | { kind: 'finalize' }
  | { kind: 'store' }
  /** The order stays open; `until` where somebody said when to come again. */
  | { kind: 'pause'; problem: HttpsProblem; detail?: string | undefined; until?: Date | undefined }
  /** The order is over. */
  | { kind: 'fail'; problem: HttpsProblem; detail?: string | undefined; until?: Date | undefined }

/** From one read of an order to the next, ms. */
const pollMs = 1000
/** While the domain points elsewhere, ms. */
const lostMs = 60 * 60_000
/** By then our own servers answer, ms. */
const publishedWithinMs = 10 * 60_000
/** An order that is no further by then is given up, ms. */
const longestOrderMs = 24 * 60 * 60_000

export function decide(facts: CertificateFacts): CertificateStep {
  const { now, served, order, nextTryAt } = facts
  const after = (ms: number): CertificateStep => ({ kind: 'wait', until: new Date(now.getTime() + ms) })
  // A visit wakes it.
  if (!facts.isWanted || (facts.isUnvisited && !order))
    return served && served.notAfter > now ? { kind: 'wait', until: served.notAfter } : { kind: 'drop' }
  if (nextTryAt > now) return { kind: 'wait', until: nextTryAt }
  if (order) return decideOrder(order, now, after)
  const renewal = served && (facts.renewal ?? ownRule(served))
  if (renewal && renewal.at > now)
    return { kind: 'plan', until: new Date(Math.min(renewal.at.getTime(), renewal.lookAt.getTime())) }
  if (facts.isLost) return after(lostMs)
  const { obstacle } = facts
  return obstacle ? { kind: 'pause', ...obstacle } : { kind: 'order' }
}

function decideOrder(
  order: NonNullable<CertificateFacts['order']>,
  now: Date,
  after: (ms: number) => CertificateStep,
): CertificateStep {
  const { fault, seen } = order
  const age = now.getTime() - order.createdAt.getTime()
  if (fault) {
    const until = fault.retryAfterMs === undefined ? undefined : new Date(now.getTime() + fault.retryAfterMs)
    const details = { detail: fault.message, until }
    if (fault.kind === 'orderGone') return { kind: 'fail', problem: 'caRefused', ...details }
    const isOver = fault.kind === 'caRefused' || fault.kind === 'caaForbids'
    return { kind: isOver ? 'fail' : 'pause', problem: fault.kind, ...details }
  }
  if (!seen) return after(pollMs)
  if (seen.status === 'valid') return { kind: 'store' }
  if (seen.status === 'invalid') {
    const failed = seen.authorizations.find(({ error }) => error !== undefined)
    const problem = failed?.isForbidden ? 'caaForbids' : 'challengeFailed'
    return { kind: 'fail', problem, detail: failed?.error ?? seen.error }
  }
  if (age > longestOrderMs) return { kind: 'fail', problem: 'challengeFailed' }
  if (seen.status === 'ready') return { kind: 'finalize' }
  if (seen.status === 'processing') return after(pollMs)
  const pending = seen.authorizations.filter(({ status }) => status === 'pending')
  const challenges = pending.flatMap(({ challenge }) => challenge ?? [])
  if (challenges.length < pending.length) return { kind: 'fail', problem: 'caRefused' }
  if (challenges.some(({ token }) => !order.published.includes(token))) return { kind: 'publish' }
  if (!order.isAnswered) return age > publishedWithinMs ? { kind: 'fail', problem: 'challengeFailed' } : after(pollMs)
  const urls = challenges.filter(({ isAnswered }) => !isAnswered).map(({ url }) => url)
  return urls.length > 0 ? { kind: 'answer', urls } : after(pollMs)
}
