import { expect, test } from 'vitest'
import { clusterSearch, clusterTabs } from './cluster-search.ts'

test.each(clusterTabs.filter((tab) => tab !== 'overview'))('the tab %s can be linked to', (tab) => {
  expect(clusterSearch({ tab, other: 1 })).toEqual({ tab })
})

test.each<[string, Record<string, unknown>]>([
  ['an address without a tab', {}],
  ['the overview', { tab: 'overview' }],
  ['a tab that there is not', { tab: 'billing' }],
  ['a list of tabs', { tab: ['history'] }],
  ['a number', { tab: 7 }],
])('%s leads to the overview', (_, search) => {
  expect(clusterSearch(search)).toEqual({})
})

test('the charts of a range and of an instance can be linked to, on their tab alone', () => {
  const charts = { range: '7d', instance: 'in_aaaaaaaaaaaa' }
  expect(clusterSearch({ tab: 'monitoring', ...charts })).toEqual({ tab: 'monitoring', ...charts })
  expect(clusterSearch({ tab: 'monitoring', range: '8d', instance: '' })).toEqual({ tab: 'monitoring' })
  expect(clusterSearch({ tab: 'history', ...charts })).toEqual({ tab: 'history' })
})
