import { expect, test } from 'vitest'
import { readQuantity, readUsage } from './assumed-usage.ts'

test.each([
  ['350', '350'],
  [' 12.5 ', '12.5'],
  ['12,5', '12.5'],
  ['0', '0'],
])('%j is read as %j', (typed, read) => {
  expect(readQuantity(typed)).toBe(read)
})

test.each(['', '-1', '1e9', '1.2345678', '1,234.5'])('%j is no quantity', (typed) => {
  expect(readQuantity(typed)).toBeUndefined()
})

test('what is not typed, or not yet a quantity, is left out', () => {
  expect(readUsage({ cloud_traffic: '350', cloud_storage: '', cloud_backup: '12.' })).toEqual({ cloud_traffic: '350' })
})
