import { expect, test } from 'vitest'
import { instancesSearch } from './instances-search.ts'

test('a filter can be linked to', () => {
  const search = { cluster: 'cl_1', user: 'did:key:z6Mk' }
  expect(instancesSearch({ ...search, other: 1 })).toEqual(search)
})

test.each<[string, Record<string, unknown>]>([
  ['an address without a filter', {}],
  ['an empty cluster', { cluster: '' }],
  ['a cluster that is a number', { cluster: 7 }],
  ['a list of users', { user: ['a'] }],
  ['a user longer than any', { user: 'u'.repeat(257) }],
])('%s filters nothing', (_, search) => {
  expect(instancesSearch(search)).toEqual({})
})
