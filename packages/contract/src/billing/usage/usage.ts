/** Use of a plan's quotas, and its cost (spec §3, §7; design/billing). */
import { z } from 'zod'
import { defineCall } from '../../wire/call.ts'
import { ClusterId, Currency, IsoTime } from '../../wire/fields.ts'
import { MeteredProduct } from './products.ts'

/**
 * - `within`: below the quota.
 * - `charged`: above it, and charged for.
 * - `limited`: above it, and stopped there: the plan has no rate for it.
 * - `frozen`: charging more would pass the cap or what is given on credit, or a bill is not paid; nothing is deleted.
 */
export const usageStates = ['within', 'charged', 'limited', 'frozen'] as const
export type UsageState = (typeof usageStates)[number]

/**
 * Why something stops at its quota:
 * - `plan`: the plan has no price for more.
 * - `means`: balance and promotional credit are used up, and there is no card that pays.
 * - `credit`: what is not billed or not paid yet has come to what is given on credit; a bill of it is being collected.
 * - `bill`: a bill of usage is not paid.
 * - `cap`: the spend cap.
 * - `pastDue`: another bill is past due.
 */
export const usageStops = ['plan', 'means', 'credit', 'bill', 'cap', 'pastDue'] as const
export type UsageStop = (typeof usageStops)[number]

export const PlanUsage = z.object({
  productType: MeteredProduct,
  /** In `unitLabel`, with up to six decimals. */
  used: z.number(),
  quota: z.number(),
  /** How much of it is above the quota. */
  overage: z.number(),
  unitLabel: z.string(),
  /** The cost so far, in minor units. */
  amount: z.int(),
  currency: Currency,
  /** Of traffic: `FrpNetwork`, which is `used`, and `CloudflareNetwork`, which is not charged and not in `used`. */
  networks: z.array(z.object({ network: z.string(), used: z.number() })),
  /** Of traffic: since midnight in the account's zone. */
  today: z
    .object({ used: z.number(), clusters: z.array(z.object({ clusterId: ClusterId, used: z.number() })) })
    .optional(),
  state: z.enum(usageStates),
  /** Why it is limited or frozen; null while it is neither. */
  stop: z.enum(usageStops).nullable().default(null),
  asOf: IsoTime,
})
export type PlanUsage = z.infer<typeof PlanUsage>

export const planUsage = defineCall({
  name: 'planUsage',
  path: '/v1/bill/plan/usage',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: 'Use in the period of the plan, a row for each product.',
  data: z.array(PlanUsage),
})
