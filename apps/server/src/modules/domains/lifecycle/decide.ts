/**
 * What is to be done about a domain now: pure. `job.ts` applies it. A look was taken only when one was due; a record
 * that is not there is no failure, the next look is later.
 */
import type { DomainMethod, DomainProblem, DomainStatus } from '@atoll/contract/domains'
import { dailyMs, hourlyMs, nextCheck, proofLifetimeMs } from './domain-checks.ts'
import type { DomainEvent } from './domain-state.ts'

export interface DomainWorld {
  now: Date
  status: DomainStatus
  method: DomainMethod
  provenAt: Date | null
  problem: DomainProblem | null
  checksSince: Date
  nextCheckAt: Date | null
  /** Undefined: none was due. */
  look: { passed: boolean } | undefined
  /** The proven claim of somebody else that excludes this one. */
  hasRival: boolean
  /** The owner has an ID under this domain. */
  isNamed: boolean
}

export type DomainStep =
  | { kind: 'move'; event: Extract<DomainEvent, 'proved' | 'delegated' | 'serving' | 'servingNamed'> }
  /** The proof was not followed by a delegation in time. */
  | { kind: 'lapse' }
  | { kind: 'note'; nextCheckAt: Date | null; problem: DomainProblem | null }
  | { kind: 'wait'; until: Date }
  | { kind: 'rest' }

const awaiting = { WAIT_TXT: 'proved', WAIT_NS: 'delegated' } as const

export function decide(world: DomainWorld): DomainStep {
  const { now, status, nextCheckAt, look } = world
  const lapsesAt = status === 'WAIT_NS' && world.provenAt ? after(world.provenAt, proofLifetimeMs) : undefined
  if (look?.passed !== true && lapsesAt && lapsesAt <= now) return { kind: 'lapse' }
  if (status === 'BINDING' && (world.method === 'cname' || look?.passed))
    return { kind: 'move', event: world.isNamed ? 'servingNamed' : 'serving' }
  if (look) return afterLook(world, look)
  const times = [nextCheckAt, lapsesAt].filter((time) => time !== undefined && time !== null)
  const [until] = times.toSorted((a, b) => a.getTime() - b.getTime())
  return until ? { kind: 'wait', until } : { kind: 'rest' }
}

function afterLook(world: DomainWorld, look: { passed: boolean }): DomainStep {
  const { now, status, problem, checksSince } = world
  const event = status === 'WAIT_TXT' || status === 'WAIT_NS' ? awaiting[status] : undefined
  // Seen, but somebody else's proof came first: it goes on when that one ends.
  if (event && look.passed && !world.hasRival) return { kind: 'move', event }
  if (event || status === 'BINDING') {
    const nextCheckAt = nextCheck(checksSince, now)
    // Why the record has to be added once more is told until it is there.
    const kept = problem === 'proofLapsed' ? problem : null
    return { kind: 'note', nextCheckAt, problem: nextCheckAt ? kept : 'checksPaused' }
  }
  // It pointed here once.
  if (look.passed) return { kind: 'note', nextCheckAt: after(now, dailyMs), problem: null }
  const nextCheckAt = problem === 'methodWaits' ? nextCheck(checksSince, now) : null
  if (nextCheckAt) return { kind: 'note', nextCheckAt, problem: 'methodWaits' }
  return { kind: 'note', nextCheckAt: after(now, hourlyMs), problem: 'delegationLost' }
}

function after(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms)
}
