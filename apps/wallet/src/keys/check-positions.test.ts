import { expect, it } from 'vitest'
import { pickCheckPositions } from './check-positions.ts'

it('asks two different words of the twelve, in order, whatever the dice say', () => {
  const dice = [0, 0.01, 0.25, 0.5, 0.75, 0.95, 0.999999]
  for (const a of dice)
    for (const b of dice) {
      const throws = [a, b]
      const [first, second] = pickCheckPositions(() => throws.shift() ?? 0)
      expect(first).toBeGreaterThanOrEqual(1)
      expect(second).toBeGreaterThan(first)
      expect(second).toBeLessThanOrEqual(12)
    }
})
