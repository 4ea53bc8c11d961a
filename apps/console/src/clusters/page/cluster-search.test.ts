import { expect, test } from 'vitest'
import { clusterSearch, clusterTabs } from './cluster-search.ts'

test.each(clusterTabs.filter((tab) => tab !== 'overview'))('the tab %s can be linked to', (tab) => {
  expect(clusterSearch({ tab, other: 1 })).toEqual({ tab })
})

test.each([{}, { tab: 'overview' }, { tab: 'billing' }, { tab: ['history'] }, { tab: 7 }])(
  '%o is the overview',
  (search) => {
    expect(clusterSearch(search)).toEqual({})
  },
)
