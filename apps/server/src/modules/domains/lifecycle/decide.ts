/**
 * Decides the next step of a domain: pure. `job.ts` applies it. A lookup was made only when one was due; a missing
 * record is no failure, the next lookup is later.
 */
import type { DomainMethod, DomainProblem, DomainStatus } from '@atoll/contract/domains'
import { type DomainEvent, isBound, isFinished, isProven } from '../records/domain-state.ts'
import { dailyMs, hourlyMs, nextCheck } from './domain-checks.ts'
import { lapseOf, type Sight } from './proof.ts'

export interface DomainFacts {
  now: Date
  status: DomainStatus
  method: DomainMethod
  problem: DomainProblem | null
  problemSince: Date | null
  checksSince: Date
  nextCheckAt: Date | null
  /** Undefined: none was due. */
  lookup: { passed: boolean; answered: boolean } | undefined
  /** Of a proven claim that is not bound: whether it has control of the name now. Undefined: not looked up. */
  control: Sight | undefined
  /** Since when it has not been seen. */
  unseenSince: Date | null
  /** The proven claim of somebody else that excludes this one. */
  hasRival: boolean
  /** That one is not bound, and its record is not there now: this one's is, and takes the name at once. */
  mayDisplace: boolean
  /**
   * The rival is bound, and its owner has not been asked yet: this claim, whose record is seen now, may start a
   * contest.
   */
  mayContest: boolean
  /** Of a bound domain that somebody else has proven. `claim`: whether their record is there when the time is over. */
  contest: { until: Date; claim: Sight } | null
  /** The owner has an ID under this domain. */
  isNamed: boolean
}

export type DomainStep =
  | { kind: 'move'; event: Extract<DomainEvent, 'proved' | 'delegated' | 'serving' | 'servingNamed'> }
  /** The claim that excludes this one ends its proof: its record is gone, and this one's is there. */
  | { kind: 'displace' }
  /** Somebody else's linked domain is proven: they are asked. */
  | { kind: 'contest' }
  /** The owner answered, or nobody claims the domain any more. */
  | { kind: 'keep'; isAnswered: boolean }
  /** The owner did not answer. */
  | { kind: 'yield' }
  /** Control of the name was not seen for too long. */
  | { kind: 'lapse' }
  | { kind: 'note'; nextCheckAt: Date | null; problem: DomainProblem | null }
  | { kind: 'wait'; until: Date }
  | { kind: 'rest' }

const awaiting = { WAIT_TXT: 'proved', WAIT_NS: 'delegated' } as const

export function decide(facts: DomainFacts): DomainStep {
  const { status, nextCheckAt, lookup } = facts
  if (facts.contest && isBound(status)) return whileContested(facts, facts.contest)
  if (hasLapsed(facts)) return { kind: 'lapse' }
  // A proof that is not seen leads no further.
  if (status === 'BINDING' && facts.control !== 'unseen' && (facts.method === 'cname' || lookup?.passed))
    return { kind: 'move', event: facts.isNamed ? 'servingNamed' : 'serving' }
  if (lookup) return afterLookup(facts, lookup)
  return nextCheckAt ? { kind: 'wait', until: nextCheckAt } : { kind: 'rest' }
}

function afterLookup(facts: DomainFacts, lookup: { passed: boolean; answered: boolean }): DomainStep {
  const { now, status, problem, checksSince } = facts
  const event = status === 'WAIT_TXT' || status === 'WAIT_NS' ? awaiting[status] : undefined
  // Seen, but somebody else's proof came first: it goes on when that one ends.
  if (event && lookup.passed && !facts.hasRival) return { kind: 'move', event }
  if (status === 'WAIT_TXT' && lookup.passed && facts.mayDisplace) return { kind: 'displace' }
  if (status === 'WAIT_TXT' && lookup.passed && facts.mayContest) return { kind: 'contest' }
  if (event || status === 'BINDING') {
    const next = nextCheck(checksSince, now)
    // Why the record has to be added once more is shown until it is there.
    const kept = problem === 'proofLapsed' ? problem : null
    // A proof keeps others out, and is looked at while it does.
    const nextCheckAt = next ?? (isProven(status) ? after(now, hourlyMs) : null)
    return { kind: 'note', nextCheckAt: beforeLapse(facts, nextCheckAt), problem: next ? kept : 'checksPaused' }
  }
  // It pointed here once.
  const laterMs = isBound(status) ? dailyMs : hourlyMs
  if (lookup.passed) return { kind: 'note', nextCheckAt: beforeLapse(facts, after(now, laterMs)), problem: null }
  const nextCheckAt = (isBeingMended(facts) ? nextCheck(checksSince, now) : null) ?? after(now, hourlyMs)
  // Silence is no answer: what was seen last stays.
  if (!lookup.answered) return { kind: 'note', nextCheckAt, problem }
  if (facts.problem === 'methodWaits' && !isOverdue(facts)) return { kind: 'note', nextCheckAt, problem: 'methodWaits' }
  return { kind: 'note', nextCheckAt: beforeLapse(facts, nextCheckAt), problem: 'delegationLost' }
}

/** Its owner moves it to the other way, or asked for checks since it was lost. */
function isBeingMended({ problem, problemSince, checksSince }: DomainFacts): boolean {
  return (
    problem === 'methodWaits' || (problem === 'delegationLost' && problemSince !== null && checksSince > problemSince)
  )
}

/** A move to the other way has its time from its beginning: checks that are asked for do not add to it. */
function isOverdue({ problemSince, now }: DomainFacts): boolean {
  return problemSince !== null && nextCheck(problemSince, now) === null
}

/** Whether a proof has lapsed: control was not seen for seven days in a row, and is not now. */
function hasLapsed({ status, control, unseenSince, now }: DomainFacts): boolean {
  const isHeld = isProven(status) && !isFinished(status)
  return isHeld && control === 'unseen' && unseenSince !== null && lapseOf(unseenSince) <= now
}

/** The earlier one: the moment at which a proof that is no longer seen lapses, or `next`. */
function beforeLapse({ control, unseenSince, now }: DomainFacts, next: Date | null): Date | null {
  if (control !== 'unseen' || !next) return next
  const lapse = lapseOf(unseenSince ?? now)
  return lapse < next && lapse > now ? lapse : next
}

function whileContested(facts: DomainFacts, contest: { until: Date; claim: Sight }): DomainStep {
  const { now, lookup, problem } = facts
  if (!lookup) return { kind: 'wait', until: facts.nextCheckAt ?? contest.until }
  if (lookup.passed) return { kind: 'keep', isAnswered: true }
  const isOver = contest.until <= now
  // Nobody loses a domain, or the claim to it, by a silence.
  const isKnown = lookup.answered && contest.claim !== 'unknown'
  if (isOver && isKnown) return contest.claim === 'seen' ? { kind: 'yield' } : { kind: 'keep', isAnswered: false }
  const next = after(now, hourlyMs)
  return { kind: 'note', nextCheckAt: isOver || next < contest.until ? next : contest.until, problem }
}

function after(from: Date, ms: number): Date {
  return new Date(from.getTime() + ms)
}
