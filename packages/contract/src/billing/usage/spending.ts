/** The cost of usage, and the cap on it (spec §3, §7; design/billing). */
import { z } from 'zod'
import { defineCall } from '../../wire/call.ts'
import { Currency, RequestId, WireInt } from '../../wire/fields.ts'
import type { BillingFieldReason } from '../field-reasons.ts'
import { MeteredProduct } from './products.ts'

/** A quantity with up to six decimals, or its text. */
export const Quantity = z.union(
  [z.number().min(0).max(1_000_000_000).transform(String), z.string().regex(/^\d{1,9}(\.\d{1,6})?$/)],
  'quantity' satisfies BillingFieldReason,
)

export const productCalculate = defineCall({
  name: 'productCalculate',
  path: '/v1/bill/calculate/product',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: 'The price of so much use of a product in a period, on the plan that the account has.',
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
  reach: 'self',
  rate: 'change',
  topics: ['billing'],
  summary: 'Sets what usage may cost in a period of the plan; without an amount there is no cap.',
  body: z.strictObject({
    /** Minor units. */
    amount: WireInt.pipe(z.int().min(0).max(1_000_000_000_000)).optional(),
    requestId: RequestId.optional(),
  }),
  data: z.object({ amount: z.int().nullable() }),
})
