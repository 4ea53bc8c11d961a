/** `/v1/bill/paymentMethod`: the account's cards (spec §7; design/api). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime, RequestId } from '../wire/fields.ts'
import type { PaymentsFieldReason } from './field-reasons.ts'

export const PaymentMethodId = z.string().regex(/^pm_[a-z0-9]{8,40}$/, 'paymentMethodId' satisfies PaymentsFieldReason)

export const PaymentMethod = z.object({
  id: PaymentMethodId,
  /** `visa`, `mastercard` … */
  cardBrand: z.string(),
  cardLast4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
  /** The card that is charged if no other is named. */
  isDefault: z.boolean(),
  state: z.enum(['active', 'expired']),
  /** Of its newest charge, where that was declined; null: it was not, or there is none. */
  lastDeclinedAt: IsoTime.nullable().default(null),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>

/** A page of the console that asks; never an address elsewhere. */
const ReturnTo = z
  .string()
  .max(200)
  .regex(/^(\/[\w-]+)+$/, 'consolePage' satisfies PaymentsFieldReason)
const Page = z.object({
  /** Where the card is entered; it leads back to the console. */
  url: z.url(),
})

export const paymentMethodList = defineCall({
  name: 'paymentMethodList',
  path: '/v1/bill/paymentMethod/list',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: "The account's cards, the default first, then the newest.",
  data: z.object({ methods: z.array(PaymentMethod) }),
})

export const paymentMethodAdd = defineCall({
  name: 'paymentMethodAdd',
  path: '/v1/bill/paymentMethod/add',
  reach: 'self',
  rate: 'change',
  topics: ['billing'],
  summary: 'Opens a page on which a card is entered. The first card becomes the default.',
  body: z.strictObject({ returnTo: ReturnTo.optional(), requestId: RequestId.optional() }),
  data: Page,
})

export const paymentMethodUpdate = defineCall({
  name: 'paymentMethodUpdate',
  path: '/v1/bill/paymentMethod/update',
  reach: 'private',
  rate: 'change',
  topics: ['billing'],
  summary: 'Opens a page on which a card is entered that takes the place of this one.',
  body: z.strictObject({ id: PaymentMethodId, returnTo: ReturnTo.optional(), requestId: RequestId.optional() }),
  data: Page,
})

export const paymentMethodDelete = defineCall({
  name: 'paymentMethodDelete',
  path: '/v1/bill/paymentMethod/delete',
  reach: 'private',
  rate: 'change',
  topics: ['billing'],
  summary: 'Removes a card, at the gateway too. Of those left, the newest becomes the default where it was that.',
  body: z.strictObject({ id: PaymentMethodId }),
})

export const paymentMethodDefault = defineCall({
  name: 'paymentMethodDefault',
  path: '/v1/bill/paymentMethod/default',
  reach: 'private',
  rate: 'change',
  topics: ['billing'],
  summary: 'Makes a card the one that is charged.',
  body: z.strictObject({ id: PaymentMethodId }),
})
