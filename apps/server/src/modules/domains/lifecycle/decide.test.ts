import { domainProblems, domainStatuses } from '@atoll/contract/domains'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DomainWorld, decide } from './decide.ts'
import { nextCheck, proofLifetimeMs } from './domain-checks.ts'
import { isBound, isFinished, isProven, nextStatus } from './domain-state.ts'

const start = Date.parse('2026-03-01T00:00:00Z')
const at = (ms: number) => new Date(start + ms)
const later = fc.integer({ min: 0, max: 40 * 24 * 60 * 60_000 }).map(at)
const world: fc.Arbitrary<DomainWorld> = fc
  .record({
    now: later,
    status: fc.constantFrom(...domainStatuses),
    method: fc.constantFrom('ns', 'cname'),
    provenAt: fc.constant(at(0)),
    problem: fc.option(fc.constantFrom(...domainProblems)),
    checksSince: later,
    nextCheckAt: fc.option(later),
    lookup: fc.option(fc.record({ passed: fc.boolean() }), { nil: undefined }),
    hasRival: fc.boolean(),
    mayContest: fc.boolean(),
    contest: fc.option(fc.record({ until: later, isProven: fc.boolean() })),
    isNamed: fc.boolean(),
  })
  .map((facts) => ({
    ...facts,
    provenAt: isProven(facts.status) ? facts.provenAt : null,
    contest: isBound(facts.status) ? facts.contest : null,
  }))

describe('what is decided about a domain', () => {
  test('is always a move that the status takes, a later moment, or rest', () => {
    fc.assert(
      fc.property(world, (facts) => {
        const step = decide(facts)
        if (step.kind === 'move') expect(nextStatus(facts.status, step.event)).toBeDefined()
        if (step.kind === 'note' && step.nextCheckAt)
          expect(step.nextCheckAt.getTime()).toBeGreaterThan(facts.now.getTime())
        if (step.kind === 'note') expect(facts.lookup).toBeDefined()
        if (step.kind === 'rest') expect(facts.nextCheckAt).toBeNull()
        if (step.kind === 'lapse') {
          expect(isProven(facts.status) && !isFinished(facts.status)).toBe(true)
          if (facts.status === 'WAIT_NS') expect(facts.lookup?.passed).not.toBe(true)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('is to go on when the record is seen, but past nobody who proved the name', () => {
    fc.assert(
      fc.property(world, fc.constantFrom('WAIT_TXT', 'WAIT_NS'), (facts, status) => {
        const step = decide({ ...facts, status, lookup: { passed: true } })
        expect(step.kind === 'move').toBe(!facts.hasRival)
        expect(decide({ ...facts, status, lookup: { passed: false } }).kind).not.toBe('move')
      }),
    )
  })

  test('is never that a proof holds for ever without a delegation', () => {
    const facts: DomainWorld = {
      now: at(proofLifetimeMs),
      status: 'WAIT_NS',
      method: 'ns',
      provenAt: at(0),
      problem: 'checksPaused',
      checksSince: at(0),
      nextCheckAt: null,
      lookup: undefined,
      hasRival: false,
      mayContest: false,
      contest: null,
      isNamed: false,
    }
    expect(decide(facts)).toEqual({ kind: 'lapse' })
    expect(decide({ ...facts, now: at(proofLifetimeMs - 1) })).toEqual({ kind: 'wait', until: at(proofLifetimeMs) })
    // Pointing here is no proof: whoever never goes on keeps others out no longer.
    for (const status of ['WAIT_REQUEST_VC', 'WAIT_SUBMIT_VP', 'WAIT_RULE_SET'] as const)
      expect(decide({ ...facts, status, lookup: { passed: true } })).toEqual({ kind: 'lapse' })
  })
})

describe('a linked domain that somebody else has proven', () => {
  const contested = world.filter(({ contest, lookup }) => contest !== null && lookup !== undefined)

  test('stays with whoever shows the record, and goes only when the time is over and the other one still does', () => {
    fc.assert(
      fc.property(contested, ({ contest, lookup, now, ...rest }) => {
        if (!contest || !lookup) return
        const step = decide({ ...rest, contest, lookup, now })
        const isOver = contest.until <= now
        if (lookup.passed) expect(step).toEqual({ kind: 'keep', isAnswered: true })
        else if (isOver)
          expect(step).toEqual(contest.isProven ? { kind: 'yield' } : { kind: 'keep', isAnswered: false })
        else expect(step.kind).toBe('note')
        if (step.kind === 'note') expect(Number(step.nextCheckAt)).toBeLessThanOrEqual(contest.until.getTime())
      }),
      { numRuns: 2000 },
    )
  })

  test('is contested by nobody who does not show the record', () => {
    fc.assert(
      fc.property(world, (facts) => {
        if (decide(facts).kind === 'contest')
          expect([facts.status, facts.lookup?.passed, facts.mayContest]).toEqual(['WAIT_TXT', true, true])
      }),
    )
  })
})

test('checks come from 10 s to 10 min apart and pause after 7 days', () => {
  const gap = (passed: number) => (nextCheck(at(0), at(passed))?.getTime() ?? Number.NaN) - at(passed).getTime()
  expect([0, 60_000, 599_999, 10 * 60_000, 60 * 60_000, 6 * 24 * 60 * 60_000].map(gap)).toEqual([
    10_000, 10_000, 10_000, 100_000, 600_000, 600_000,
  ])
  expect(nextCheck(at(0), at(7 * 24 * 60 * 60_000))).toBeNull()
})
