import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultRules } from './alert-rules.ts'
import { whenFired } from './preview-rule.ts'

const step = 5 * 60_000
const begin = Date.parse('2026-06-01T00:00:00Z')
const { disk } = defaultRules
const steps = (shares: readonly (number | undefined)[]) =>
  shares.flatMap((share, at): [number, number][] => (share === undefined ? [] : [[begin + at * step, share]]))

test('a rule would have fired once it had held, and again only after it was over', () => {
  const shares = [0.5, 0.95, 0.95, 0.95, 0.87, 0.95, 0.95, 0.95, 0.1, 0.95, 0.95, 0.95]
  expect(whenFired(disk, steps(shares))).toEqual([begin + step + 10 * 60_000, begin + 9 * step + 10 * 60_000])
})

test('what did not hold, and what nobody measured, does not fire', () => {
  expect(whenFired(disk, steps([0.95, 0.95, 0.5, 0.95, undefined, 0.95, undefined, 0.95]))).toEqual([])
  expect(whenFired(disk, [])).toEqual([])
})

test('whatever was measured: at each firing it had been at the threshold for as long as the rule wants', () => {
  const any = fc.array(fc.option(fc.constantFrom(0.2, 0.86, 0.9, 0.95), { nil: undefined }), { maxLength: 200 })
  fc.assert(
    fc.property(any, fc.integer({ min: 1, max: 60 }), (shares, forMinutes) => {
      for (const at of whenFired({ ...disk, forMinutes }, steps(shares))) {
        const last = Math.floor((at - begin) / step)
        const first = Math.floor((at - forMinutes * 60_000 - begin) / step)
        expect(first).toBeGreaterThanOrEqual(0)
        for (let one = first; one <= last; one += 1) expect(shares[one]).toBeGreaterThanOrEqual(disk.threshold)
      }
    }),
  )
})
