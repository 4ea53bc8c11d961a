import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whyNotSold } from './buyer.ts'
import { decidePlan, type PlanFacts } from './decide-plan.ts'

const buyer = fc.record({ isPastDue: fc.boolean(), isHeld: fc.boolean(), isDisputing: fc.boolean() })
const facts: fc.Arbitrary<PlanFacts> = fc
  .record({
    current: fc.nat(3),
    level: fc.nat(3),
    waiting: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    isPastDue: fc.boolean(),
    isStale: fc.boolean(),
    costs: fc.boolean(),
    buyer,
  })
  .map(({ current, isPastDue, ...rest }) => ({
    ...rest,
    move: rest.level > current ? 'up' : rest.level < current ? 'down' : 'stay',
    isPastDue: current === 0 ? undefined : isPastDue,
  }))

describe('a request for a plan', () => {
  test('sells only a higher one, while none waits, to who may buy it, at the figure that was shown', () => {
    fc.assert(
      fc.property(facts, (asked) => {
        const step = decidePlan(asked)
        if (step.does === 'nothing') expect(asked).toMatchObject({ move: 'up', waiting: asked.level })
        if (step.does !== 'change' || !step.sells) return
        expect(asked).toMatchObject({ move: 'up', waiting: undefined, isStale: false, buyer: { isHeld: false } })
        expect(asked.isPastDue).not.toBe(true)
        expect(asked.costs && asked.buyer.isDisputing).toBe(false)
      }),
    )
  })

  test('for a lower one, or the one that it has, is never refused but for a figure that does not hold', () => {
    fc.assert(
      fc.property(facts, (asked) => {
        const step = decidePlan(asked)
        if (asked.move === 'up') return
        if (asked.isStale) expect(step).toEqual({ does: 'refuse', why: 'estimateChanged' })
        else {
          const pending = asked.move === 'down' ? asked.level : null
          expect(step).toEqual({ does: 'change', takesBack: asked.waiting !== undefined, pending, sells: false })
        }
      }),
    )
  })

  test('that is not refused leaves what was to come but where another comes instead', () => {
    fc.assert(
      fc.property(facts, (asked) => {
        const step = decidePlan(asked)
        if (step.does === 'change') expect(step.pending === undefined).toBe(asked.move === 'up')
      }),
    )
  })
})

test('an account that owes, is held or disputes is sold nothing; a dispute leaves what is free', () => {
  fc.assert(
    fc.property(buyer, fc.boolean(), (one, costs) => {
      const isSold = whyNotSold(one, { costs }) === undefined
      expect(isSold).toBe(!one.isPastDue && !one.isHeld && !(costs && one.isDisputing))
    }),
  )
})
