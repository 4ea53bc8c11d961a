/** Plans: what there are, which one an account has, and changing it (spec §3, §4, §7; design/billing). */
import { z } from 'zod'
import { PaymentMethodId } from '../payments/payment-methods.ts'
import { defineCall } from '../wire/call.ts'
import { planNames } from '../wire/enums.ts'
import { Currency, IsoTime, RequestId, WireInt } from '../wire/fields.ts'
import { Estimate } from './estimates.ts'
import { InvoiceId } from './fields.ts'
import { MeteredProduct } from './usage/products.ts'

/** 0 Free to 3 Pro (spec §4). */
export const PlanLevel = WireInt.pipe(
  z
    .int()
    .min(0)
    .max(planNames.length - 1),
)

export const PlanOffer = z.object({
  planLevel: z.int(),
  name: z.string(),
  /** Whom it is for. */
  summary: z.string().nullable(),
  /** Minor units a month; of the plan that the account has, what it pays. */
  amount: z.int(),
  quotas: z.object({
    vCpu: z.int(),
    storageGB: z.int(),
    backupGB: z.int(),
    trafficGB: z.int(),
    cdnGB: z.int(),
    bandwidthMbit: z.int(),
    /** Proofs of a backup a month. */
    drills: z.int(),
  }),
  /** Major units, as decimal text, for each GB or GB-month above the quota; a product that is absent stops there. */
  rates: z.partialRecord(MeteredProduct, z.string()),
  isCurrent: z.boolean(),
  /** False for a plan that only who has it keeps. */
  isSold: z.boolean(),
})
export type PlanOffer = z.infer<typeof PlanOffer>

/** A change that has not happened yet. */
export const PendingPlan = z.object({
  planLevel: z.int(),
  /** A lower plan begins then; null for a higher one that waits for its payment. */
  effectiveAt: IsoTime.nullable(),
  /** The invoice that a higher plan waits for, and until when it can be paid. */
  invoiceId: InvoiceId.nullable(),
  validUntil: IsoTime.nullable(),
})
export type PendingPlan = z.infer<typeof PendingPlan>

export const planShow = defineCall({
  name: 'planShow',
  path: '/v1/bill/plan',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: 'The plans, the lowest first, with quotas and rates; which one the account has, and which one is to come.',
  data: z.object({
    planLevel: z.int(),
    currency: Currency,
    plans: z.array(PlanOffer),
    pending: PendingPlan.nullable(),
  }),
})

/** A product's quota of a higher plan, in the current period and from the next one on. */
export const PlanIncluded = z.object({
  productType: MeteredProduct,
  /** In `unitLabel`: with the share of the period that is left; after it, what the plan says. */
  untilEnd: z.number(),
  after: z.number(),
  unitLabel: z.string(),
  /** A quota that is used up stays used up until the period ends: the remaining time buys less than was used. */
  staysStopped: z.boolean(),
})
export type PlanIncluded = z.infer<typeof PlanIncluded>

export const planChangeEstimate = defineCall({
  name: 'planChangeEstimate',
  path: '/v1/bill/plan/change/estimatedAmount',
  reach: 'self',
  reads: true,
  rate: 'costly',
  topics: ['billing'],
  summary: 'The price now of changing to a plan, and when it would begin; a lower one costs nothing now.',
  body: z.strictObject({ planLevel: PlanLevel }),
  data: Estimate.extend({
    planLevel: z.int(),
    effectiveAt: IsoTime,
    /** Of a higher plan, for each product; `periodEnd` is when the period ends that runs. Else nothing. */
    included: z.array(PlanIncluded).default([]),
    periodEnd: IsoTime.nullable().default(null),
  }),
})

export const planChange = defineCall({
  name: 'planChange',
  path: '/v1/bill/plan/change',
  reach: 'self',
  rate: 'change',
  topics: ['billing'],
  summary:
    'Changes the plan: a higher one now, once it is paid, a lower one at the end of the period. The one that the account has takes back a change to come.',
  body: z.strictObject({
    planLevel: PlanLevel,
    estimateToken: z.string().max(4096).optional(),
    /** The card for what the balance does not cover; without it the default one. */
    methodId: PaymentMethodId.optional(),
    requestId: RequestId.optional(),
  }),
  data: z.object({
    /** True when nothing is due: paid, or nothing to pay. */
    paid: z.boolean(),
    planLevel: z.int(),
    /** When the plan begins, or began; of one that waits for its payment, when it was asked for. */
    effectiveAt: IsoTime,
    /** Minor units. */
    amount: z.int(),
    invoiceId: InvoiceId.optional(),
    /** The payment is under way. */
    pending: z.boolean().optional(),
    /** Where the payment is confirmed. */
    actionUrl: z.string().optional(),
  }),
})

export const subscriptionPeriod = defineCall({
  name: 'subscriptionPeriod',
  path: '/v1/bill/subscription/period',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: 'The period of the plan that quotas and the cap count in; without one, a month from the first day.',
  /** Seconds. */
  data: z.object({ periodStart: z.int(), periodEnd: z.int() }),
})
