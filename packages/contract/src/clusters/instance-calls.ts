/** `/v1/resource`: instances of all clusters, and what is done to a single one (spec §3, §7; design/api). */
import { z } from 'zod'
import { CouponCode } from '../billing/coupons.ts'
import { PaymentMethodId } from '../payments/payment-methods.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, EstimateToken, InstanceId, RequestId, WireBool, WireInt } from '../wire/fields.ts'
import { ClusterType } from './cluster-kinds.ts'
import { InstanceFacts } from './instances.ts'
import { OrderOutcome } from './orders.ts'
import { ClusterStatus } from './status.ts'

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

export const instanceList = defineCall({
  name: 'instanceList',
  path: '/v1/resource/instance/list',
  reach: 'list',
  reads: true,
  topics: ['cluster', 'metrics', 'account'],
  summary: 'Every instance of the clusters this account may see.',
  body: z.strictObject({ clusterUserid: z.string().max(256).optional() }),
  data: z.array(InstanceRow),
})

export const workerList = defineCall({
  name: 'workerList',
  path: '/v1/resource/workerInstance/list',
  reach: 'object',
  reads: true,
  topics: ['cluster', 'metrics', 'account'],
  summary: 'The workers of one cluster, or of every cluster this account may see.',
  body: z.strictObject({ clusterId: ClusterId.optional() }),
  data: z.array(InstanceRow),
})

export const createWorker = defineCall({
  name: 'createWorker',
  path: '/v1/resource/create/worker',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Adds one or several workers to a running Cloud cluster.',
  body: z.strictObject({
    clusterId: ClusterId,
    offering: z.string().min(1).max(40),
    /** No limit of its own: how many a cluster may have is `instanceInfo.limit.maxWorkers`. */
    quantity: WireInt.pipe(z.int().min(1)).default(1),
    couponCode: CouponCode.optional(),
    estimateToken: EstimateToken.optional(),
    /** The owner's card for what the balance does not cover; without it the default one. */
    methodId: PaymentMethodId.optional(),
    requestId: RequestId.optional(),
  }),
  data: z.object({ instanceIds: z.array(InstanceId), status: ClusterStatus, ...OrderOutcome.shape }),
})

export const destroyWorker = defineCall({
  name: 'destroyWorker',
  path: '/v1/resource/destroy/worker',
  reach: 'object',
  rate: 'change',
  topics: ['cluster'],
  summary:
    'Destroys a worker; unless told otherwise its agent first finishes what it has begun. If it is not confirmed, or the shown refund has changed, it keeps running and waits to be confirmed.',
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
  reach: 'object',
  rate: 'change',
  topics: ['cluster', 'billing'],
  summary: 'Cancels a worker, or a whole cluster by its master, that still waits for resources or to be paid.',
  body: z.strictObject({ instanceId: InstanceId, requestId: RequestId.optional() }),
  data: z.object({ status: ClusterStatus }),
})
