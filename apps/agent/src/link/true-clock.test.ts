import { expect, test } from 'vitest'
import { createLog } from '../kernel/log.ts'
import { createTrueClock } from './true-clock.ts'

test('a clock that is off follows the control plane, one that is right stays as it is', () => {
  const lines: string[] = []
  const clock = createTrueClock(createLog({ write: (line) => lines.push(line) }), () => 1_000_000)
  expect(clock.now()).toBe(1_000_000)
  clock.correct(1_001_500)
  expect(clock.now()).toBe(1_000_000)
  expect(lines).toEqual([])
  clock.correct(400_000)
  expect(clock.now()).toBe(400_000)
  expect(lines.join()).toContain('600 s ahead')
  clock.correct(1_000_000)
  expect(clock.now()).toBe(1_000_000)
})
