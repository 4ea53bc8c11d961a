import { readOpen } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { formatTotal } from './total.ts'

test('of a list with a row that cannot be read no total is formed, whatever the other lists are', () => {
  const rows = z.array(z.object({ amount: z.number() }))
  const whole = readOpen(rows, [{ amount: 500 }]).data
  const lacking = readOpen(rows, [{ amount: 500 }, { price: '5' }]).data
  const ofUsd = { currency: 'usd', locale: 'en-US' } as const
  expect(lacking).toEqual(whole)
  expect(formatTotal(500, [whole], ofUsd)).toContain('5.00')
  expect(formatTotal(500, [whole, lacking], ofUsd)).toBe('-')
})
