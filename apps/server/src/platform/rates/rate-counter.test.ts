import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRateCounter } from './rate-counter.ts'

test('as many as a minute allows may come at once, then one each time that room for it is back', () => {
  let now = 0
  const counter = createRateCounter(() => now)
  const take = () => counter.take('a', 4)
  expect([take(), take(), take(), take()].map(({ isAllowed, left }) => [isAllowed, left])).toEqual([
    [true, 3],
    [true, 2],
    [true, 1],
    [true, 0],
  ])
  expect(take()).toEqual({ isAllowed: false, left: 0, waitSeconds: 15, resetSeconds: 60 })
  now += 14_000
  expect(take()).toMatchObject({ isAllowed: false, waitSeconds: 1 })
  now += 1000
  expect(take()).toMatchObject({ isAllowed: true, left: 0 })
  expect(take().isAllowed).toBe(false)
  expect(counter.take('b', 4).isAllowed).toBe(true)
})

test('a client is let through at the rate and no more, however often it comes', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(pauses, fc.integer({ min: 1, max: 100 }), (waits, most) => {
      let now = 0
      const counter = createRateCounter(() => now)
      let allowed = 0
      for (const wait of waits) {
        now += wait
        const { isAllowed, waitSeconds } = counter.take('a', most)
        if (isAllowed) allowed += 1
        // A client that waits as long as it is told is let through.
        else expect(createAt(now + waitSeconds * 1000)).toBe(true)
        function createAt(later: number): boolean {
          const before = now
          now = later
          const again = counter.take('a', most).isAllowed
          if (again) allowed += 1
          else now = before
          return again
        }
      }
      expect(allowed).toBeLessThanOrEqual(most + Math.ceil((now / 60_000) * most) + 1)
    }),
  )
})

test('what came at once is free again a minute later, whatever the clock shows', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e10, noNaN: true }), fc.integer({ min: 1, max: 2000 }), (at, most) => {
      const counter = createRateCounter(() => at)
      for (let taken = 0; taken < most; taken += 1) expect(counter.take('a', most).isAllowed).toBe(true)
      expect(counter.take('a', most)).toEqual({
        isAllowed: false,
        left: 0,
        resetSeconds: 60,
        waitSeconds: Math.max(1, Math.ceil(60 / most - 0.000_01)),
      })
    }),
  )
})

test('a flood of networks does not fill the memory', () => {
  let now = 0
  const counter = createRateCounter(() => now)
  for (let network = 0; network < 120_000; network += 1) {
    now += 1
    counter.take(`network ${network}`, 1)
  }
  // The newest is still counted.
  expect(counter.take('network 119999', 1).isAllowed).toBe(false)
  expect(counter.take('network 0', 1).isAllowed).toBe(true)
})
