/** What was used of a plan's quotas, what that costs, and the cap on it (spec §3, §7; design/billing). */
import { z } from 'zod'
import { defineCall } from '../../wire/call.ts'
import { ClusterId, Currency, IsoTime, RequestId, WireInt } from '../../wire/fields.ts'
import type { BillingFieldReason } from '../field-reasons.ts'
import { MeteredProduct } from './products.ts'

/**
 * - `within`: below the quota.
 * - `charged`: above it, and charged for.
 * - `limited`: above it, and stopped there: the plan has no rate for it.
 * - `frozen`: charging more would pass the cap, or a bill is past due; nothing is deleted.
 */
export const usageStates = ['within', 'charged', 'limited', 'frozen'] as const
export type UsageState = (typeof usageStates)[number]

export const PlanUsage = z.object({
  productType: MeteredProduct,
  /** In `unitLabel`, with up to six decimals. */
  used: z.number(),
  quota: z.number(),
  /** How much of it is above the quota. */
  overage: z.number(),
  unitLabel: z.string(),
  /** What it costs until now, in minor units. */
  amount: z.int(),
  currency: Currency,
  /** Of traffic: `FrpNetwork`, `CloudflareNetwork`. */
  networks: z.array(z.object({ network: z.string(), used: z.number() })),
  /** Of traffic: since midnight in the account's zone. */
  today: z
    .object({ used: z.number(), clusters: z.array(z.object({ clusterId: ClusterId, used: z.number() })) })
    .optional(),
  state: z.enum(usageStates),
  asOf: IsoTime,
})
export type PlanUsage = z.infer<typeof PlanUsage>

export const planUsage = defineCall({
  name: 'planUsage',
  path: '/v1/bill/plan/usage',
  topics: ['billing'],
  summary: 'What was used in the period of the plan, a row for each product.',
  data: z.array(PlanUsage),
})

/** A quantity with up to six decimals, or its text. */
export const Quantity = z.union(
  [z.number().min(0).max(1_000_000_000).transform(String), z.string().regex(/^\d{1,9}(\.\d{1,6})?$/)],
  'quantity' satisfies BillingFieldReason,
)

export const productCalculate = defineCall({
  name: 'productCalculate',
  path: '/v1/bill/calculate/product',
  topics: ['billing'],
  summary: 'What using so much of a product in a period would cost on the plan that the account has.',
  body: z.strictObject({ productType: MeteredProduct, quantity: Quantity }),
  data: z.object({
    /** Minor units. */
    amount: z.int(),
    currency: Currency,
    quota: z.number(),
    /** Major units, as decimal text, for each unit above the quota; null where the product stops there. */
    rate: z.string().nullable(),
    unitLabel: z.string(),
  }),
})

export const spendCapSet = defineCall({
  name: 'spendCapSet',
  path: '/v1/bill/spendCap/set',
  topics: ['billing'],
  summary: 'Sets what usage may cost in a period of the plan; without an amount there is no cap.',
  body: z.strictObject({
    /** Minor units. */
    amount: WireInt.pipe(z.int().min(0).max(1_000_000_000_000)).optional(),
    requestId: RequestId.optional(),
  }),
  data: z.object({ amount: z.int().nullable() }),
})
