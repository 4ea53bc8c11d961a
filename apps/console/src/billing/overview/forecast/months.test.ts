import { expect, test } from 'vitest'
import { byMonth } from './months.ts'

const bill = (at: string, kind: 'renewal' | 'usage', amount: number) => ({ at, kind, amount })

test('bills are summed by month of the account, usage apart', () => {
  const bills = [
    bill('2026-05-04T00:00:00.000Z', 'renewal', 900),
    bill('2026-04-30T20:00:00.000Z', 'usage', 31),
    bill('2026-04-04T00:00:00.000Z', 'renewal', 900),
  ]
  expect(byMonth(bills, 'UTC').map(({ fixed, usage }) => [fixed, usage])).toEqual([
    [900, 31],
    [900, 0],
  ])
  expect(byMonth(bills, 'UTC+8').map(({ fixed, usage }) => [fixed, usage])).toEqual([
    [900, 0],
    [900, 31],
  ])
})

test('no bills are no months', () => {
  expect(byMonth([], 'UTC')).toEqual([])
})
