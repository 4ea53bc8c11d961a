/** `/v1/resource`: the instances of a cluster, masters and workers (spec §3, §7; design/api). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, InstanceId, IsoTime } from '../wire/fields.ts'
import { ownersAlone } from '../wire/owners-alone.ts'
import { InstanceRole } from './cluster-kinds.ts'
import { Operation } from './operations.ts'
import { MonthlyPrice } from './orders.ts'
import { ClusterStatus, InstanceAction } from './status.ts'
import { Workloads } from './workloads.ts'

/** Newest measurement of an instance. Memory and disk in bytes, cpu 0..1 of its cores. */
export const Latest = z.object({
  at: IsoTime,
  cpu: z.number(),
  memoryUsed: z.number(),
  memoryTotal: z.number(),
  diskUsed: z.number(),
  diskTotal: z.number(),
})

/** For each action that is not allowed now: why, in the caller's language. */
const InstanceRefusals = z.partialRecord(InstanceAction, z.string())

/** Facts of an instance that both the Instances page and a cluster's details show. */
export const InstanceFacts = z.object({
  instanceId: InstanceId,
  role: InstanceRole,
  /** `master`, `worker-1`, …; unique in its cluster. */
  name: z.string(),
  offering: z.string().nullable(),
  cpuCoreCount: z.int(),
  /** MiB */
  memorySize: z.int(),
  /** MiB */
  diskSize: z.int(),
  ip: z.string().nullable(),
  /** Since when it runs without a break; null while it does not run. */
  startedAt: IsoTime.nullable(),
  latest: Latest.nullable(),
  /** The provider does not have it, though it should exist. */
  missing: z.boolean(),
  actions: z.array(InstanceAction),
  refusals: InstanceRefusals,
  /** Why its last operation failed, in the caller's language. */
  error: z.string().nullable(),
  /** The price that it was sold for, shown to its owner; null if it is free. */
  price: MonthlyPrice.nullable(),
  createAt: IsoTime,
})

/** One line of the Instances page. */
export const InstanceDetail = InstanceFacts.extend({
  /** `inactivated` for the first running instance while a one-time password exists (spec §4, "unactived"). */
  status: ClusterStatus,
  /** JSON text of `InstallLog`, of its lines the last three; `clusterInstallLog` has the whole. */
  installLog: z.string(),
  /** Its services, as its agent last reported them, failed ones first; null: its agent is too old to report them. */
  workloads: Workloads.nullable(),
})

export const ResourceDetail = z.object({
  data: z.array(InstanceDetail),
  /** One-time password: only for the owner, until activation and while the password is being reset. */
  userPassword: ownersAlone(z.string().optional()),
  cpuTotalCount: z.int(),
  memoryTotalSize: z.int(),
  instanceCount: z.int(),
  /** Newest first, at most 50. */
  operations: z.array(Operation),
})
export type ResourceDetail = z.infer<typeof ResourceDetail>

export const instanceDetails = defineCall({
  name: 'instanceDetails',
  path: '/v1/resource/instance/details',
  reach: 'object',
  reads: true,
  topics: ['cluster', 'metrics'],
  summary: 'The instances and operations of one cluster.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: ResourceDetail,
})
