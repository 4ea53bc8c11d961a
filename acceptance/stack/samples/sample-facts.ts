/** Facts of the sample's clusters: whose they are, when it was, how full they are, what was done. */
import type { Operation, OperationStep } from '@atoll/contract/clusters'

export const owner = { userid: `did:key:z6Mk${'a'.repeat(44)}`, terminusName: 'lena@atoll.test' }
export const friend = { userid: `did:key:z6Mk${'b'.repeat(44)}`, terminusName: 'jonas@atoll.test' }
const gibibyte = 1024 ** 3
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
export const daysAgo = (days: number) => minutesAgo(days * 24 * 60)

/** A machine's newest report. */
export const latest = (cpu: number) => ({
  at: minutesAgo(0),
  cpu,
  memoryUsed: 4.1 * gibibyte,
  memoryTotal: 8 * gibibyte,
  diskUsed: 41 * gibibyte,
  diskTotal: 100 * gibibyte,
})

/** A step of an operation that began `at` minutes ago. */
export const step = (name: OperationStep['step'], state: OperationStep['state'], at: number): OperationStep => ({
  step: name,
  state,
  startedAt: state === 'pending' ? null : minutesAgo(at),
  endedAt: state === 'done' || state === 'failed' ? minutesAgo(at - 1) : null,
  detail: state === 'failed' ? 'The provider has no room in this region.' : null,
})

/** An operation that went well, but for `facts`. */
export function operation(number: number, facts: Partial<Operation>): Operation {
  return {
    operationId: `op_sample${String(number).padStart(4, '0')}`,
    instanceId: null,
    kind: 'create',
    state: 'done',
    steps: [step('fetching', 'done', 9), step('pending', 'done', 8), step('installing', 'done', 7)],
    startedAt: minutesAgo(9),
    endedAt: minutesAgo(6),
    deadlineAt: minutesAgo(-30),
    cancellable: false,
    by: owner.userid,
    error: null,
    ...facts,
  }
}
