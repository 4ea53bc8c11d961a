/** A cluster that is stuck, as staff see it. */
import type * as contract from '@atoll/contract/everything'
import { minutesAgo } from './sample-facts.ts'
import { colleague } from './sample-staff-people.ts'

export const stuck: contract.StaffCluster = {
  clusterId: 'cl_sample001',
  name: 'Takaroa',
  person: colleague,
  clusterType: 'Cloud',
  status: 'restarting',
  isStuck: true,
  since: minutesAgo(72),
  reason: 'Last answer of the provider: No space left on device.',
  cloudName: 'lxd',
  regionId: 'helsinki',
  version: '1.12.3',
  agentVersion: '2.4.0',
}

export const stuckDetail: contract.StaffClusterDetail = {
  ...stuck,
  operations: [
    {
      operationId: 'op_sample0001',
      instanceId: null,
      kind: 'restart',
      state: 'running',
      by: null,
      error: null,
      startedAt: minutesAgo(76),
      endedAt: null,
      deadlineAt: minutesAgo(72),
      cancellable: false,
      steps: [
        {
          step: 'restarting',
          state: 'running',
          startedAt: minutesAgo(76),
          endedAt: null,
          detail: 'Last answer of the provider: No space left on device.',
        },
      ],
    },
  ],
  attempts: [14, 13].map((number) => ({
    number,
    at: minutesAgo(30 - number),
    call: 'restart',
    by: 'ctl-2',
    took: 2100,
    answer: 'Last answer of the provider: No space left on device.',
  })),
  instances: [
    {
      instanceId: 'in_sample0001',
      name: 'master',
      status: 'restarting',
      provider: 'Last answer of the provider: No space left on device.',
      agent: { connected: false, lastSeenAt: minutesAgo(76), install: 'done', said: null },
    },
  ],
  gateway: null,
  holder: { process: 'worker-2', since: minutesAgo(0) },
  nextTryAt: minutesAgo(-6),
  mayRetry: true,
  mayGiveUp: true,
}
