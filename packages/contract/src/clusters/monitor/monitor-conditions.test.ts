import { describe, expect, test } from 'vitest'
import { findMissingCondition, type MonitorCondition, monitorConditions } from './monitor-conditions.ts'

/** Facts of which exactly `held` hold. */
const factsWith = (held: readonly MonitorCondition[]) => ({
  initialized: held.includes('initialized'),
  running: held.includes('running'),
  clusterId: held.includes('clusterId') ? 'cl_aaaaaaaaaaaaaaaaaaaa' : undefined,
  account: held.includes('account') ? { userid: 'did:key:z6Mk' } : undefined,
  loading: !held.includes('notLoading'),
})
const combinations = Array.from({ length: 32 }, (_, bits) =>
  monitorConditions.filter((_condition, at) => (bits >> at) & 1),
)

describe('of the 32 combinations of the five conditions', () => {
  test('exactly the one where all hold asks', () => {
    const asking = combinations.filter((held) => findMissingCondition(factsWith(held)) === undefined)
    expect(asking).toEqual([[...monitorConditions]])
  })

  test.each(
    combinations
      .filter((held) => held.length < 5)
      .map((held) => ({ held, words: held.length === 0 ? 'nothing' : held.join(' and ') })),
  )('where only $words holds, one of the others is named', ({ held }) => {
    const missing = findMissingCondition(factsWith(held))
    expect(monitorConditions).toContain(missing)
    expect(held).not.toContain(missing)
  })
})

test('an id without letters is none', () => {
  expect(findMissingCondition({ ...factsWith(monitorConditions), clusterId: '' })).toBe('clusterId')
})
