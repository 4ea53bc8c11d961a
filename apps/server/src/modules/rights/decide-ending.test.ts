import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decideEnding, type EndFacts } from './decide-ending.ts'

const until = new Date('2026-12-10T13:31:00Z')
const anyFacts: fc.Arbitrary<EndFacts> = fc.record({
  now: fc.integer({ min: -20, max: 20 }).map((days) => new Date(until.getTime() + days * 86_400_000)),
  until: fc.constant(until),
  isReminded: fc.boolean(),
  isBegun: fc.boolean(),
  living: fc.nat(3),
  isUsageDue: fc.boolean(),
  isMoving: fc.boolean(),
  balance: fc.nat(500),
  isMailWaiting: fc.boolean(),
})

it('destroys nothing before its time, and erases nothing while anything is left', () => {
  const still = { isUsageDue: false, isMoving: false }
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const step = decideEnding(facts)
      if (facts.now < until) expect(['remind', 'wait']).toContain(step)
      if (step === 'erase')
        expect(facts).toMatchObject({ isBegun: true, living: 0, balance: 0, isMailWaiting: false, ...still })
      if (step === 'payOut') expect(facts).toMatchObject({ living: 0, ...still })
    }),
  )
})

it('comes to its end when each step did what it was for', () => {
  fc.assert(
    fc.property(anyFacts, (begun) => {
      let facts = { ...begun, now: until }
      const steps: string[] = []
      for (let count = 0; count < 10 && steps.at(-1) !== 'erase'; count += 1) {
        const step = decideEnding(facts)
        steps.push(step)
        if (step === 'begin') facts = { ...facts, isBegun: true, isMailWaiting: true }
        if (step === 'destroy') facts = { ...facts, living: 0, balance: facts.balance + 100 }
        if (step === 'bill') facts = { ...facts, isUsageDue: false, isMoving: true }
        if (step === 'payOut') facts = { ...facts, balance: 0, isMoving: true }
        if (step === 'wait') facts = { ...facts, isMoving: false, isMailWaiting: false }
      }
      expect(steps.at(-1)).toBe('erase')
    }),
  )
})
