import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CaFault, type CaOrder, caFaults } from '../acme/ca.ts'
import { type CertificateFacts, decide } from './decide.ts'
import { ownRule } from './renewal.ts'

const now = new Date('2026-06-01T00:00:00Z')
const day = 24 * 60 * 60_000
const at = (days: number) => new Date(now.getTime() + days * day)
const facts = (changes: Partial<CertificateFacts> = {}): CertificateFacts => ({
  now,
  isWanted: true,
  isLost: false,
  nextTryAt: now,
  ...changes,
})
const order = (changes: Partial<NonNullable<CertificateFacts['order']>> = {}) => ({
  createdAt: now,
  published: [] as string[],
  isAnswered: false,
  ...changes,
})
const pending = (isAnswered = false): CaOrder => ({
  status: 'pending',
  authorizations: [
    { host: 'a.example', status: 'pending', challenge: { url: 'u', token: 't', answer: 'x', isAnswered } },
    { host: 'b.example', status: 'valid' },
  ],
})

describe('a certificate', () => {
  test('is renewed with a third of its life left, and not before', () => {
    const served = { notBefore: at(-60), notAfter: at(30) }
    expect(ownRule(served).at).toEqual(now)
    expect(decide(facts({ served }))).toEqual({ kind: 'order' })
    expect(decide(facts({ served: { notBefore: at(-59), notAfter: at(31) } }))).toEqual({ kind: 'plan', until: at(1) })
    const renewal = (days: number, lookDays = days) => ({ at: at(days), lookAt: at(lookDays) })
    expect(decide(facts({ served, renewal: renewal(0) }))).toEqual({ kind: 'order' })
    expect(decide(facts({ served, renewal: renewal(1) }))).toEqual({ kind: 'plan', until: at(1) })
    expect(decide(facts({ served, renewal: renewal(20, 0.25) }))).toEqual({ kind: 'plan', until: at(0.25) })
  })

  test('that is not wanted is served until it ends, then gone', () => {
    const served = { notBefore: at(-10), notAfter: at(2) }
    expect(decide(facts({ isWanted: false, served }))).toEqual({ kind: 'wait', until: at(2) })
    expect(decide(facts({ isWanted: false, served: { ...served, notAfter: now } }))).toEqual({ kind: 'drop' })
    expect(decide(facts({ isWanted: false }))).toEqual({ kind: 'drop' })
  })

  test('that nobody visits is neither renewed nor ordered, and an order that is open goes on', () => {
    const served = { notBefore: at(-80), notAfter: at(10) }
    expect(decide(facts({ isUnvisited: true, served }))).toEqual({ kind: 'wait', until: at(10) })
    expect(decide(facts({ isUnvisited: true }))).toEqual({ kind: 'drop' })
    expect(decide(facts({ isUnvisited: true, order: order({ seen: pending() }) })).kind).toBe('publish')
  })

  test('goes through its order step by step', () => {
    const stepFor = (seen: CaOrder, changes = {}) => decide(facts({ order: order({ seen, ...changes }) })).kind
    expect(stepFor(pending())).toBe('publish')
    expect(stepFor(pending(), { published: ['t'] })).toBe('wait')
    expect(decide(facts({ order: order({ seen: pending(), published: ['t'], isAnswered: true }) }))).toEqual({
      kind: 'answer',
      urls: ['u'],
    })
    expect(stepFor(pending(true), { published: ['t'], isAnswered: true })).toBe('wait')
    expect(stepFor({ status: 'ready', authorizations: [] })).toBe('finalize')
    expect(stepFor({ status: 'processing', authorizations: [] })).toBe('wait')
    expect(stepFor({ status: 'valid', authorizations: [] })).toBe('store')
  })

  test('says what the authority said of a challenge that failed', () => {
    const seen: CaOrder = {
      status: 'invalid',
      authorizations: [{ host: 'a.example', status: 'invalid', error: 'No TXT record found' }],
    }
    expect(decide(facts({ order: order({ seen }) }))).toEqual({
      kind: 'fail',
      problem: 'challengeFailed',
      detail: 'No TXT record found',
    })
  })

  test('keeps its order while the authority is away or wants rest', () => {
    const fault = new CaFault('caLimited', 'slow down', 60_000)
    const until = new Date(now.getTime() + 60_000)
    expect(decide(facts({ order: order({ fault }) }))).toEqual({
      kind: 'pause',
      problem: 'caLimited',
      detail: 'slow down',
      until,
    })
    expect(decide(facts({ order: order({ fault: new CaFault('orderGone', '') }) })).kind).toBe('fail')
  })

  test('is never ordered too early, twice at once, for a lost domain, or when nobody wants it', () => {
    const moment = fc.integer({ min: -100, max: 100 }).map(at)
    const fault = fc.constantFrom(...caFaults).map((kind) => new CaFault(kind, ''))
    const seen = fc.constantFrom<CaOrder>(
      pending(),
      { status: 'ready', authorizations: [] },
      { status: 'valid', authorizations: [] },
      { status: 'invalid', authorizations: [] },
    )
    const anyOrder = fc.record(
      { createdAt: moment, published: fc.subarray(['t']), isAnswered: fc.boolean(), seen, fault },
      { requiredKeys: ['createdAt', 'published', 'isAnswered'] },
    )
    const served = fc.tuple(moment, moment).map(([notBefore, notAfter]) => ({ notBefore, notAfter }))
    const allFacts = fc.record(
      {
        now: fc.constant(now),
        isWanted: fc.boolean(),
        isLost: fc.boolean(),
        nextTryAt: moment,
        served,
        order: anyOrder,
      },
      { requiredKeys: ['now', 'isWanted', 'isLost', 'nextTryAt'] },
    )
    fc.assert(
      fc.property(allFacts, (any) => {
        const step = decide(any)
        if (step.kind === 'order')
          expect([any.order, any.isWanted, any.isLost, any.nextTryAt <= now]).toEqual([undefined, true, false, true])
        // Every wait ends in the future.
        if (step.kind === 'wait') expect(step.until > now).toBe(true)
        if (step.kind === 'drop') expect(any.isWanted).toBe(false)
      }),
    )
  })
})
