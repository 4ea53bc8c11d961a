import { domainProblems, domainStatuses } from '@atoll/contract/domains'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBound, isFinished, isProven, nextStatus } from '../records/domain-state.ts'
import { type DomainFacts, decide } from './decide.ts'
import { nextCheck, proofKeptMs } from './domain-checks.ts'

const start = Date.parse('2026-03-01T00:00:00Z')
const at = (ms: number) => new Date(start + ms)
const seen = { passed: true, answered: true }
const absent = { passed: false, answered: true }
const silent = { passed: false, answered: false }
const later = fc.integer({ min: 0, max: 40 * 24 * 60 * 60_000 }).map(at)
const sight = fc.constantFrom('seen', 'unseen', 'unknown')
const given: fc.Arbitrary<DomainFacts> = fc
  .record({
    now: later,
    status: fc.constantFrom(...domainStatuses),
    method: fc.constantFrom('ns', 'cname'),
    problem: fc.option(fc.constantFrom(...domainProblems)),
    problemSince: fc.option(later),
    checksSince: later,
    nextCheckAt: fc.option(later),
    lookup: fc.option(fc.constantFrom(seen, absent, silent), { nil: undefined }),
    control: fc.option(sight, { nil: undefined }),
    unseenSince: fc.option(later),
    hasRival: fc.boolean(),
    mayDisplace: fc.boolean(),
    mayContest: fc.boolean(),
    contest: fc.option(fc.record({ until: later, claim: sight })),
    isNamed: fc.boolean(),
  })
  .map((facts) => ({
    ...facts,
    control: isProven(facts.status) && !isFinished(facts.status) && facts.lookup ? facts.control : undefined,
    unseenSince: isProven(facts.status) ? facts.unseenSince : null,
    contest: isBound(facts.status) ? facts.contest : null,
  }))

describe('what is decided about a domain', () => {
  test('is always a move that the status takes, a later moment, or rest', () => {
    fc.assert(
      fc.property(given, (facts) => {
        const step = decide(facts)
        if (step.kind === 'move') expect(nextStatus(facts.status, step.event)).toBeDefined()
        if (step.kind === 'note' && step.nextCheckAt)
          expect(step.nextCheckAt.getTime()).toBeGreaterThan(facts.now.getTime())
        if (step.kind === 'note') expect(facts.lookup).toBeDefined()
        if (step.kind === 'rest') expect(facts.nextCheckAt).toBeNull()
        if (step.kind === 'lapse') {
          expect(isProven(facts.status) && !isFinished(facts.status)).toBe(true)
          expect(facts.control).toBe('unseen')
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('is to go on when the record is seen, but past nobody who proved the name', () => {
    fc.assert(
      fc.property(given, fc.constantFrom('WAIT_TXT', 'WAIT_NS'), (facts, status) => {
        const free = { ...facts, status, control: undefined }
        expect(decide({ ...free, lookup: seen }).kind === 'move').toBe(!facts.hasRival)
        for (const lookup of [absent, silent]) expect(decide({ ...free, lookup }).kind).not.toBe('move')
      }),
    )
  })

  test('is that a proof ends after 7 days in a row without control, delegated or not, and that silence ends none', () => {
    const facts: DomainFacts = {
      now: at(proofKeptMs),
      status: 'WAIT_NS',
      method: 'ns',
      problem: 'checksPaused',
      problemSince: at(0),
      checksSince: at(0),
      nextCheckAt: null,
      lookup: absent,
      control: 'unseen',
      unseenSince: at(0),
      hasRival: false,
      mayDisplace: false,
      mayContest: false,
      contest: null,
      isNamed: false,
    }
    for (const status of domainStatuses.filter((one) => isProven(one) && !isFinished(one)))
      for (const lookup of [seen, absent, silent]) {
        const held = { ...facts, status, lookup }
        expect(decide(held)).toEqual({ kind: 'lapse' })
        expect(decide({ ...held, now: at(proofKeptMs - 1) }).kind).not.toBe('lapse')
        for (const control of ['seen', 'unknown'] as const) expect(decide({ ...held, control }).kind).not.toBe('lapse')
        // The check that may end it comes in time.
        const last = decide({ ...held, lookup: absent, now: at(proofKeptMs - 60_000) })
        expect(last).toMatchObject({ kind: 'note', nextCheckAt: at(proofKeptMs) })
      }
    for (const status of ['BIND', 'ALLOCATED'] as const)
      expect(decide({ ...facts, status, control: undefined }).kind).not.toBe('lapse')
  })

  test('is never that a linked domain is lost because nobody answered', () => {
    fc.assert(
      fc.property(given, fc.constantFrom(...domainStatuses), (facts, status) => {
        const step = decide({ ...facts, status, contest: null, lookup: silent, control: undefined })
        if (status === 'BIND' || status === 'ALLOCATED')
          expect(step).toMatchObject({ kind: 'note', problem: facts.problem })
      }),
    )
  })
})

describe('a linked domain that somebody else has proven', () => {
  const contested = given.filter(({ contest, lookup }) => contest !== null && lookup !== undefined)

  test('stays with the owner who shows the record, and goes only when the time is over and the other one still does', () => {
    fc.assert(
      fc.property(contested, ({ contest, lookup, now, ...rest }) => {
        if (!contest || !lookup) return
        const step = decide({ ...rest, contest, lookup, now })
        const isOver = contest.until <= now
        if (lookup.passed) expect(step).toEqual({ kind: 'keep', isAnswered: true })
        else if (isOver && lookup.answered && contest.claim !== 'unknown')
          expect(step).toEqual(contest.claim === 'seen' ? { kind: 'yield' } : { kind: 'keep', isAnswered: false })
        else expect(step.kind).toBe('note')
        if (step.kind === 'note' && !isOver)
          expect(Number(step.nextCheckAt)).toBeLessThanOrEqual(contest.until.getTime())
      }),
      { numRuns: 2000 },
    )
  })

  test('is contested, and a claim that is left displaced, by nobody who does not show the record', () => {
    fc.assert(
      fc.property(given, (facts) => {
        const { kind } = decide(facts)
        if (kind === 'contest')
          expect([facts.status, facts.lookup?.passed, facts.mayContest]).toEqual(['WAIT_TXT', true, true])
        if (kind === 'displace')
          expect([facts.status, facts.lookup?.passed, facts.mayDisplace]).toEqual(['WAIT_TXT', true, true])
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
