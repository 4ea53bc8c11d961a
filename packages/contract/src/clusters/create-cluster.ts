/** `/v1/resource/create/cluster`: ordering a cluster (spec §3, §7; design/api). */
import { z } from 'zod'
import { RestoreSource } from '../backups/ids.ts'
import { CouponCode } from '../billing/coupons.ts'
import { PaymentMethodId } from '../payments/payment-methods.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, EstimateToken, RequestId } from '../wire/fields.ts'
import type { ClustersFieldReason } from './field-reasons.ts'
import { OrderOutcome } from './orders.ts'
import { EnrollCommand, SelfHostOrder } from './self-host.ts'
import { ClusterStatus } from './status.ts'

export const CloudOrder = z.strictObject({
  clusterType: z.literal('Cloud'),
  cloudName: z.string().min(1).max(40),
  regionId: z.string().min(1).max(40),
  offering: z.string().min(1).max(40),
  version: z.string().min(1).max(40),
  name: z.string().max(64).optional(),
  /** Redeemed with the order. */
  couponCode: CouponCode.optional(),
  /** A snapshot of the caller's that becomes its drive. */
  restore: RestoreSource.optional(),
  estimateToken: EstimateToken.optional(),
  /** The card for what the balance does not cover; without it the default one. */
  methodId: PaymentMethodId.optional(),
  requestId: RequestId.optional(),
})
export type CloudOrder = z.input<typeof CloudOrder>

export const PlacedOrder = z.object({
  clusterId: ClusterId,
  status: ClusterStatus,
  ...OrderOutcome.shape,
  /** Of a self-hosted cluster: what its host has to run. */
  ...EnrollCommand.partial().shape,
})
export type PlacedOrder = z.infer<typeof PlacedOrder>

export const createCluster = defineCall({
  name: 'createCluster',
  path: '/v1/resource/create/cluster',
  reach: 'self',
  rate: 'change',
  topics: ['cluster'],
  summary: 'Orders a Cloud cluster, or makes a place for a self-hosted one.',
  body: z.discriminatedUnion('clusterType', [CloudOrder, SelfHostOrder], 'clusterType' satisfies ClustersFieldReason),
  data: PlacedOrder,
})
