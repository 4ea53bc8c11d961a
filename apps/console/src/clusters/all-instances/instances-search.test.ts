import { expect, test } from 'vitest'
import { instancesSearch } from './instances-search.ts'

test('a filter can be linked to', () => {
  const search = { cluster: 'cl_1', user: 'did:key:z6Mk' }
  expect(instancesSearch({ ...search, other: 1 })).toEqual(search)
})

test.each([{}, { cluster: '' }, { cluster: 7 }, { user: ['a'] }, { user: 'u'.repeat(257) }])(
  '%o filters nothing',
  (search) => {
    expect(instancesSearch(search)).toEqual({})
  },
)
