import { resourceList } from '@atoll/contract/clusters'
import { expect, it } from 'vitest'
import { describeCalls, listCalls } from './call-table.ts'

it('changes with who may make a call, and with how often', () => {
  const before = describeCalls([resourceList])
  expect(before).toContain('| `/v1/resource/` | resourceList | list | read |')
  expect(describeCalls([{ ...resourceList, reach: 'anyone' }])).not.toBe(before)
  expect(describeCalls([{ ...resourceList, rate: 'costly' }])).not.toBe(before)
})

it('has a row for each call of the contract, in one order', () => {
  const calls = listCalls()
  expect(calls.length).toBeGreaterThan(100)
  expect(describeCalls(calls.toReversed())).toBe(describeCalls(calls))
})
