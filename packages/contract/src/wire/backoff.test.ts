import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

const bounds = { firstMs: 200, longestMs: 5000 }

test('the longest wait doubles with each failure up to its limit', () => {
  const whole = (failures: number) => backoffMs(failures, bounds, () => 1)
  expect([1, 2, 3, 4, 5, 6, 7, 1000].map(whole)).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000])
  expect(whole(0)).toBe(200)
})

test('the wait is anything from nothing to the longest', () => {
  expect(backoffMs(3, bounds, () => 0)).toBe(0)
  expect(backoffMs(3, bounds, () => 0.5)).toBe(400)
  for (let failures = 1; failures < 12; failures++) {
    const wait = backoffMs(failures, bounds)
    expect(wait).toBeGreaterThanOrEqual(0)
    expect(wait).toBeLessThanOrEqual(5000)
  }
})
