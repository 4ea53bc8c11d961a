/** The Stripe objects that the test double knows, and the parameters it accepts, strictly, as forms carry them. */
import { z } from 'zod'
import type { Charging } from '../../sandbox/test-numbers.ts'

export interface Refund {
  id: string
  object: 'refund'
  status: string
  payment_intent: string
  amount: number
  currency: string
  created: number
  metadata: Record<string, string>
}
export interface Dispute {
  id: string
  object: 'dispute'
  status: string
  payment_intent: string
  amount: number
  currency: string
  created: number
  reason: string
  metadata: Record<string, string>
  evidence_details: { due_by: number | null }
  balance_transactions: { amount: number; fee: number; currency: string }[]
}
export interface Intent {
  id: string
  created: number
  status: string
  amount: number
  amount_received: number
  currency: string
  customer: string
  payment_method: string
  metadata: Record<string, string>
  cancellation_reason: string | null
  last_payment_error: { code: string; decline_code?: string } | null
}
export interface Session {
  id: string
  mode: 'setup' | 'payment'
  status: 'open' | 'complete' | 'expired'
  url: string | null
  client_reference_id: string
  customer: string | null
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  amount_total: number | null
  currency: string
  payment_intent: string | null
  setup_intent: string | { payment_method: unknown } | null
}
export interface Method {
  id: string
  customer: string | null
  charging: Charging
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
}

const Whole = z.string().regex(/^\d+$/).transform(Number)
const Metadata = z.record(z.string(), z.string())
const CardOnly = z.tuple([z.literal('card')])
const Url = z.url()
export const IntentCreate = z.strictObject({
  amount: Whole.refine((minor) => minor > 0),
  currency: z.enum(['usd', 'cny']),
  customer: z.string(),
  payment_method: z.string(),
  allowed_payment_method_types: CardOnly,
  confirm: z.literal('false'),
  description: z.string().max(1000),
  metadata: Metadata,
})
export const IntentConfirm = z.strictObject({ payment_method: z.string(), off_session: z.literal('true') })
export const IntentCancel = z.strictObject({ cancellation_reason: z.enum(['abandoned', 'requested_by_customer']) })
const common = {
  client_reference_id: z.string(),
  metadata: Metadata,
  allowed_payment_method_types: CardOnly,
  locale: z.enum(['en', 'zh']),
  success_url: Url,
  cancel_url: Url,
}
export const SessionCreate = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('setup'),
    currency: z.enum(['usd', 'cny']),
    customer: z.string().optional(),
    customer_creation: z.literal('always').optional(),
    ...common,
  }),
  z.strictObject({
    mode: z.literal('payment'),
    customer: z.string(),
    line_items: z.tuple([
      z.strictObject({
        quantity: z.literal('1'),
        price_data: z.strictObject({
          currency: z.enum(['usd', 'cny']),
          unit_amount: Whole,
          product_data: z.strictObject({ name: z.string().min(1) }),
        }),
      }),
    ]),
    payment_intent_data: z.strictObject({ metadata: Metadata }),
    ...common,
  }),
])
export const RefundCreate = z.strictObject({ payment_intent: z.string(), amount: Whole, metadata: Metadata })
export const List = z.strictObject({ customer: z.string().optional(), limit: Whole })
export const MovementList = z.strictObject({
  payment_intent: z.string().optional(),
  created: z.strictObject({ gte: Whole }).optional(),
  starting_after: z.string().optional(),
  limit: Whole,
})
export const IntentList = z.strictObject({
  customer: z.string().optional(),
  starting_after: z.string().optional(),
  limit: Whole,
})
