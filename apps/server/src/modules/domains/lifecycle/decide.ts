/**
 * What is to be done about a domain now: pure. `job.ts` applies it. A lookup was made only when one was due; a record
 * that is not there is no failure, the next lookup is later.
 */
import type { DomainMethod, DomainProblem, DomainStatus } from '@atoll/contract/domains'
import { dailyMs, hourlyMs, nextCheck, proofLifetimeMs } from './domain-checks.ts'
import { type DomainEvent, isBound } from './domain-state.ts'

export interface DomainWorld {
  now: Date
  status: DomainStatus
  method: DomainMethod
  provenAt: Date | null
  problem: DomainProblem | null
  checksSince: Date
  nextCheckAt: Date | null
  /** Undefined: none was due. */
  lookup: { passed: boolean } | undefined
  /** The proven claim of somebody else that excludes this one. */
  hasRival: boolean
  /** That one is bound, and its owner has not been asked yet: whoever shows the record now has them answer. */
  mayContest: boolean
  /** Of a bound domain that somebody else has proven. `isProven`: so it still is; checked when the time is over. */
  contest: { until: Date; isProven: boolean } | null
  /** The owner has an ID under this domain. */
  isNamed: boolean
}

export type DomainStep =
  | { kind: 'move'; event: Extract<DomainEvent, 'proved' | 'delegated' | 'serving' | 'servingNamed'> }
  /** Somebody else's linked domain is proven: they are asked. */
  | { kind: 'contest' }
  /** The owner answered, or nobody claims the domain any more. */
  | { kind: 'keep'; isAnswered: boolean }
  /** The owner did not answer. */
  | { kind: 'yield' }
  /** The proof was not followed by the rest in time. */
  | { kind: 'lapse' }
  | { kind: 'note'; nextCheckAt: Date | null; problem: DomainProblem | null }
  | { kind: 'wait'; until: Date }
  | { kind: 'rest' }

const awaiting = { WAIT_TXT: 'proved', WAIT_NS: 'delegated' } as const

export function decide(world: DomainWorld): DomainStep {
  const { now, status, nextCheckAt, lookup } = world
  if (world.contest && isBound(status)) return whileContested(world, world.contest)
  const lapsesAt = findLapse(world)
  const isDelegated = status === 'WAIT_NS' && lookup?.passed === true
  if (lapsesAt && lapsesAt <= now && !isDelegated) return { kind: 'lapse' }
  if (status === 'BINDING' && (world.method === 'cname' || lookup?.passed))
    return { kind: 'move', event: world.isNamed ? 'servingNamed' : 'serving' }
  if (lookup) return afterLookup(world, lookup)
  const times = [nextCheckAt, lapsesAt].filter((time) => time !== undefined && time !== null)
  const [until] = times.toSorted((a, b) => a.getTime() - b.getTime())
  return until ? { kind: 'wait', until } : { kind: 'rest' }
}

function afterLookup(world: DomainWorld, lookup: { passed: boolean }): DomainStep {
  const { now, status, problem, checksSince } = world
  const event = status === 'WAIT_TXT' || status === 'WAIT_NS' ? awaiting[status] : undefined
  // Seen, but somebody else's proof came first: it goes on when that one ends.
  if (event && lookup.passed && !world.hasRival) return { kind: 'move', event }
  if (status === 'WAIT_TXT' && lookup.passed && world.mayContest) return { kind: 'contest' }
  if (event || status === 'BINDING') {
    const nextCheckAt = nextCheck(checksSince, now)
    // Why the record has to be added once more is shown until it is there.
    const kept = problem === 'proofLapsed' ? problem : null
    return { kind: 'note', nextCheckAt, problem: nextCheckAt ? kept : 'checksPaused' }
  }
  // It pointed here once.
  if (lookup.passed) return { kind: 'note', nextCheckAt: after(now, dailyMs), problem: null }
  const nextCheckAt = problem === 'methodWaits' ? nextCheck(checksSince, now) : null
  if (nextCheckAt) return { kind: 'note', nextCheckAt, problem: 'methodWaits' }
  return { kind: 'note', nextCheckAt: after(now, hourlyMs), problem: 'delegationLost' }
}

/**
 * When a proof holds no more; from then on others can prove the name. Undefined: it holds. BINDING waits for our own
 * servers, which is nobody's neglect: whoever proves the name then has its owner asked, as with one that is linked.
 */
function findLapse({ status, provenAt, checksSince }: DomainWorld): Date | undefined {
  if (status === 'WAIT_NS') return provenAt ? after(provenAt, proofLifetimeMs) : undefined
  const isLeft = status === 'WAIT_REQUEST_VC' || status === 'WAIT_SUBMIT_VP' || status === 'WAIT_RULE_SET'
  return isLeft ? after(checksSince, proofLifetimeMs) : undefined
}

function whileContested(world: DomainWorld, contest: { until: Date; isProven: boolean }): DomainStep {
  const { now, lookup, problem } = world
  if (!lookup) return { kind: 'wait', until: world.nextCheckAt ?? contest.until }
  if (lookup.passed) return { kind: 'keep', isAnswered: true }
  if (contest.until <= now) return contest.isProven ? { kind: 'yield' } : { kind: 'keep', isAnswered: false }
  const next = after(now, hourlyMs)
  return { kind: 'note', nextCheckAt: next < contest.until ? next : contest.until, problem }
}

function after(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms)
}
