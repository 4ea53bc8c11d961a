import { type ClusterStatus, clusterStatuses } from '@atoll/contract/clusters'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adoptsId } from './adopts-id.ts'

const statuses = fc.constantFrom<ClusterStatus>(...clusterStatuses)

test('only what was activated and is neither stopped, given up nor gone uses the ID, whatever interrupted it', () => {
  fc.assert(
    fc.property(
      statuses,
      fc.array(statuses, { maxLength: 2 }),
      fc.boolean(),
      fc.boolean(),
      (status, resume_stack, osActive, given_up) => {
        const served = status === 'destroy_to_be_confirmed' ? (resume_stack.at(-1) ?? status) : status
        const isStopped = served === 'stopped' || served === 'waiting_destroy'
        const isOut = isStopped || served === 'destroyed' || served === 'canceled'
        expect(adoptsId({ status, resume_stack, osActive, given_up })).toBe(osActive && !given_up && !isOut)
      },
    ),
  )
})

test('a machine that is silent or broken may come back any moment', () => {
  for (const status of ['offline', 'errored', 'restarting', 'stopping'] as const)
    expect(adoptsId({ status, resume_stack: ['running'], osActive: true })).toBe(true)
})
