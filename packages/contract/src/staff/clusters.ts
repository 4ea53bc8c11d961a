/** `/v1/operator/clusters`: every cluster and what is done to it. No secrets are in any answer. */
import { z } from 'zod'
import { ClusterType } from '../clusters/cluster-kinds.ts'
import { Operation } from '../clusters/operations.ts'
import { ClusterStatus } from '../clusters/status.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, RequestId } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { actFields } from './approvals.ts'
import { StaffPerson } from './members.ts'
import { byOperator, byStaff, readByStaff } from './who-calls.ts'

/** The first two look at operations, the others at the status. */
export const clusterGroups = ['stuck', 'working', 'running', 'stopped', 'offline', 'waiting'] as const
export type ClusterGroup = (typeof clusterGroups)[number]

export const StaffCluster = z.object({
  clusterId: ClusterId,
  name: z.string(),
  person: StaffPerson,
  clusterType: ClusterType,
  status: ClusterStatus,
  isStuck: z.boolean(),
  /** When its status changed last, or of a stuck one since when it is stuck. */
  since: IsoTime,
  /** The problem of a failed or running operation, in the language of the caller. */
  reason: z.string().nullable(),
  cloudName: z.string().nullable(),
  regionId: z.string().nullable(),
  version: z.string().nullable(),
  agentVersion: z.string().nullable(),
})
export type StaffCluster = z.infer<typeof StaffCluster>

const filters = {
  /** The beginning of a name, cluster ID, address, ID or DID; from 3 characters anywhere in a name or ID. */
  search: z.string().trim().min(2).max(128).optional(),
  group: z.enum(clusterGroups).optional(),
}
export const StaffClusterFilter = z.strictObject(filters)
export type StaffClusterFilter = z.infer<typeof StaffClusterFilter>

export const staffClustersPage = defineCall({
  name: 'staffClustersPage',
  path: '/v1/operator/clusters/page',
  ...readByStaff,
  topics: ['operator'],
  summary: 'Every cluster by name, or one group; the stuck by how long they are stuck.',
  body: pageQuery(filters),
  data: pageOf({ clusters: z.array(StaffCluster) }),
})

/** A call of the provider that failed. */
export const ClusterAttempt = z.object({
  number: z.int(),
  at: IsoTime,
  call: z.string(),
  /** The host that made it. */
  by: z.string(),
  took: z.int(),
  /** In the language of the caller. */
  answer: z.string(),
})

export const StaffClusterDetail = StaffCluster.extend({
  /** The newest operations, the newest first. */
  operations: z.array(Operation),
  /** Calls of the provider that failed, the newest first. */
  attempts: z.array(ClusterAttempt),
  instances: z.array(
    z.object({
      instanceId: z.string(),
      name: z.string(),
      status: ClusterStatus,
      provider: z.string().nullable(),
      agent: z
        .object({
          connected: z.boolean(),
          lastSeenAt: IsoTime.nullable(),
          install: z.string(),
          said: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
  /** The reason why its newest card payment was declined; null: it was not. */
  gateway: z.string().nullable(),
  /** The worker that reconciles it at this moment, and when it is looked at next. */
  holder: z.object({ process: z.string(), since: IsoTime }).nullable(),
  nextTryAt: IsoTime.nullable(),
  mayRetry: z.boolean(),
  mayGiveUp: z.boolean(),
})
export type StaffClusterDetail = z.infer<typeof StaffClusterDetail>

export const staffClusterShow = defineCall({
  name: 'staffClusterShow',
  path: '/v1/operator/clusters/show',
  ...readByStaff,
  topics: ['operator'],
  summary: 'One cluster with its operations; recorded as a look at its owner, for which a reason is given first.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: z.object({
    person: StaffPerson,
    look: z.object({ reason: z.string(), since: IsoTime }).nullable(),
    /** The reason is said, and the customer has to allow the look first. */
    waits: z.boolean(),
    /** Null: no reason was given today. */
    cluster: StaffClusterDetail.nullable(),
  }),
})

const ofCluster = { clusterId: ClusterId, requestId: RequestId.optional() }

export const staffClusterRetry = defineCall({
  name: 'staffClusterRetry',
  path: '/v1/operator/clusters/retry',
  ...byStaff,
  topics: ['operator'],
  summary: 'Runs the step of an operation again now, or retries one that failed.',
  body: z.strictObject(ofCluster),
})

export const staffClusterGiveUp = defineCall({
  name: 'staffClusterGiveUp',
  path: '/v1/operator/clusters/giveUp',
  ...byStaff,
  topics: ['operator'],
  summary: 'Ends the operation of a cluster as failed: it is Errored, its owner is told and gets the time back.',
  body: z.strictObject({
    ...ofCluster,
    /** Read by the owner. */
    text: z.string().trim().min(4).max(500),
  }),
})

export const staffCommands = ['stop', 'restart', 'repair', 'destroy'] as const
export type StaffCommand = (typeof staffCommands)[number]

export const staffClusterCommand = defineCall({
  name: 'staffClusterCommand',
  path: '/v1/operator/clusters/command',
  ...byOperator,
  topics: ['operator'],
  summary: 'Stops, restarts, repairs or destroys the cluster of a customer, who reads why.',
  body: z.strictObject({ clusterId: ClusterId, command: z.enum(staffCommands), ...actFields }),
})

export const staffClusterDiagnostics = defineCall({
  name: 'staffClusterDiagnostics',
  path: '/v1/operator/clusters/diagnostics',
  ...byStaff,
  topics: [],
  summary: 'A ZIP, in base64, of steps, attempts and logs; without secrets and addresses of visitors; recorded.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: z.object({ fileName: z.string(), zip: z.string() }),
})
