/** `/v1/resource`: single instances, masters and workers (spec §3, §7; design/api). */
import { z } from 'zod'
import { CouponCode } from '../billing/coupons.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, EstimateToken, InstanceId, IsoTime, RequestId, WireBool, WireInt } from '../wire/fields.ts'
import { Operation } from './operations.ts'
import { MonthlyPrice, OrderOutcome } from './orders.ts'
import { ClusterStatus, ClusterType, InstanceAction, InstanceRole } from './status.ts'
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

/** What both the Instances page and a cluster's details show of an instance. */
const InstanceFacts = z.object({
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
  /** What it was sold for, shown to its owner; null for one that is free. */
  price: MonthlyPrice.nullable(),
  createAt: IsoTime,
})

/** One line of the Instances page. */
export const InstanceRow = InstanceFacts.extend({
  clusterId: ClusterId,
  clusterName: z.string(),
  clusterType: ClusterType,
  owner: z.object({ userid: z.string(), terminusName: z.string().nullable() }),
  /** As shown: a running master without an active OS is `inactivated`. */
  status: ClusterStatus,
  cloudName: z.string().nullable(),
  regionId: z.string().nullable(),
})
export type InstanceRow = z.infer<typeof InstanceRow>

export const InstanceDetail = InstanceFacts.extend({
  /** `inactivated` for the first running instance while a one-time password exists (spec §4, "unactived"). */
  status: ClusterStatus,
  /** JSON text of `InstallLog`. */
  installLog: z.string(),
  /** What runs on it, as its agent last reported, failed ones first; null: its agent is too old to report it. */
  workloads: Workloads.nullable(),
})

export const ResourceDetail = z.object({
  data: z.array(InstanceDetail),
  /** One-time password: only for the owner, until activation and while the password is being reset. */
  userPassword: z.string().optional(),
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
  topics: ['cluster', 'metrics'],
  summary: 'The instances and operations of one cluster.',
  body: z.strictObject({ clusterId: ClusterId }),
  data: ResourceDetail,
})

export const instanceList = defineCall({
  name: 'instanceList',
  path: '/v1/resource/instance/list',
  topics: ['cluster', 'metrics', 'account'],
  summary: 'Every instance of the clusters this account may see.',
  body: z.strictObject({ clusterUserid: z.string().max(256).optional() }),
  data: z.array(InstanceRow),
})

export const workerList = defineCall({
  name: 'workerList',
  path: '/v1/resource/workerInstance/list',
  topics: ['cluster', 'metrics', 'account'],
  summary: 'The workers of one cluster, or of every cluster this account may see.',
  body: z.strictObject({ clusterId: ClusterId.optional() }),
  data: z.array(InstanceRow),
})

export const createWorker = defineCall({
  name: 'createWorker',
  path: '/v1/resource/create/worker',
  topics: ['cluster'],
  summary: 'Adds one or several workers to a running Cloud cluster.',
  body: z.strictObject({
    clusterId: ClusterId,
    offering: z.string().min(1).max(40),
    /** No limit of its own: how many a cluster may have is `instanceInfo.limit.maxWorkers`. */
    quantity: WireInt.pipe(z.int().min(1)).default(1),
    couponCode: CouponCode.optional(),
    estimateToken: EstimateToken.optional(),
    requestId: RequestId.optional(),
  }),
  data: z.object({ instanceIds: z.array(InstanceId), status: ClusterStatus, ...OrderOutcome.shape }),
})

export const destroyWorker = defineCall({
  name: 'destroyWorker',
  path: '/v1/resource/destroy/worker',
  topics: ['cluster'],
  summary:
    'Destroys a worker; unless told otherwise its agent first finishes what it has begun. Where it is not confirmed, or what was shown of its refund holds no more, it serves on and waits to be confirmed.',
  body: z.strictObject({
    clusterId: ClusterId,
    instanceId: InstanceId,
    drain: WireBool.default(true),
    /** False: it waits for the yes, or to be kept, for 24 h; then it is kept. */
    confirm: WireBool.default(true),
    /** Of `getEstimatedRefundAmount`: the refund is what was shown. */
    estimateToken: EstimateToken.optional(),
    requestId: RequestId.optional(),
  }),
  data: z.object({ status: ClusterStatus }),
})

export const cancelInstance = defineCall({
  name: 'cancelInstance',
  path: '/v1/resource/cancel/instance',
  topics: ['cluster', 'billing'],
  summary: 'Cancels a worker, or a whole cluster by its master, that still waits for resources or to be paid.',
  body: z.strictObject({ instanceId: InstanceId, requestId: RequestId.optional() }),
  data: z.object({ status: ClusterStatus }),
})
