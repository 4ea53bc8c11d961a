import { Did } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { dids } from '../../testing/accounts.ts'
import { defineListSearch, oneOf } from './list-search.ts'

const read = defineListSearch({ status: oneOf(['open', 'paid']), days: oneOf([7, 30]), actor: Did })

test('what fits is kept, whether the address holds a figure or its text', () => {
  const search = { status: 'paid', days: '7', actor: dids[0], page: 3 }
  expect(read(search)).toEqual({ ...search, days: 7 })
})

test.each([
  ['status', 'lost'],
  ['days', 9],
  ['actor', 'lena'],
  ['page', 0],
  ['page', 1],
  ['page', 1e9],
  ['page', 'two'],
  ['tab', 'payments'],
])('%s %j is dropped, and the rest stays', (key, value) => {
  expect(read({ days: 30, [key]: value })).toEqual(key === 'days' ? {} : { days: 30 })
})

test('the fields that are its own are known, so that others of the page stay', () => {
  expect(read.keys).toEqual(['status', 'days', 'actor', 'page'])
})
