import { expect, test } from 'vitest'
import { createBackoff } from './backoff.ts'

test('waits grow to the cap, differ by chance, and begin anew', () => {
  const longest = createBackoff(200, 5000, () => 1)
  const shortest = createBackoff(200, 5000, () => 0)
  expect(Array.from({ length: 7 }, () => longest.next())).toEqual([200, 400, 800, 1600, 3200, 5000, 5000])
  expect(Array.from({ length: 7 }, () => shortest.next())).toEqual([100, 200, 400, 800, 1600, 2500, 2500])
  longest.reset()
  expect(longest.next()).toBe(200)
})
