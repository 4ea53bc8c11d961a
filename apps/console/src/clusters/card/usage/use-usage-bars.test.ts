import { expect, it } from 'vitest'
import { formatAmount } from './use-usage-bars.ts'

it.each([
  [0.006, '6 MB'],
  [0.9994, '999 MB'],
  [1, '1 GB'],
  [61.25, '61.3 GB'],
  [1200, '1,200 GB'],
])('an amount of %f GB reads %s', (value, text) => {
  expect(formatAmount(value, 'GB', 'en-US')).toBe(text)
})
