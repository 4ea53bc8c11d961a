import { expect, test } from 'vitest'
import { dids } from '../testing/accounts.ts'
import { activitySearch } from './activity-search.ts'

test('what was filtered by is kept', () => {
  const search = { kind: 'cluster', actor: dids[0], object: 'cl_abcdefgh', days: 7, page: 3 }
  expect(activitySearch(search)).toEqual(search)
})

test.each([
  ['kind', 'boat'],
  ['actor', 'lena'],
  ['actor', 7],
  ['object', 'cl_ 3'],
  ['object', 'cl_\u00003'],
  ['object', 'a'.repeat(65)],
  ['days', 9],
  ['page', -5],
  ['page', 1e9],
])('%s %j is dropped: the server would refuse it, and the page show nothing but that', (field, value) => {
  expect(activitySearch({ [field]: value })).toEqual({})
})
