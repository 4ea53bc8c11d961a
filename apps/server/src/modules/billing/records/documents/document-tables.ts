import type { InvoiceKind, InvoiceProduct as ProductType } from '@atoll/contract/billing'
import type { Currency } from '@atoll/money'
import type { Generated, Selectable } from 'kysely'
import type { Revenue } from '../../../ledger/index.ts'
import type { InvoiceState, PaymentState, SubscriptionState } from './states.ts'

export type { InvoiceKind, ProductType }

interface BillingAccountsTable {
  userid: string
  code: string
  /** Of the current series. */
  invoices: number
  series: number
}

interface SubscriptionsTable {
  id: string
  userid: string
  kind: 'cluster' | 'plan'
  cluster_id: string | null
  state: SubscriptionState
  anchor: Date
  period_start: Date
  period_end: Date
  pending_level: number | null
  created_at: Date
  ended_at: Date | null
}

interface SubscriptionItemsTable {
  id: string
  userid: string
  subscription_id: string
  instance_id: string | null
  price_id: string
  state: SubscriptionState
  created_at: Date
  began_at: Date | null
  ended_at: Date | null
}

interface InvoicesTable {
  id: string
  userid: string
  number: string
  kind: InvoiceKind
  currency: Currency
  gross_minor: number
  discount_minor: number
  total_minor: number
  coupon: string | null
  issued_at: Date
  recorded_at: Date
  valid_until: Date | null
  state: InvoiceState
  payment_id: string | null
  closed_at: Date | null
  /** The amount of its payments that banks took back for good, and how often it was reopened for that. */
  lost_minor: Generated<number>
  reopened: Generated<number>
}

interface InvoiceItemsTable {
  invoice_id: string
  line: number
  userid: string
  item_id: string
  product_type: ProductType
  revenue: Revenue
  price_id: string
  reason: string
  /** 0 but for the parts of a period's usage that were billed before or after its bill as a whole. */
  part: Generated<number>
  period_start: Date
  period_end: Date
  proration: boolean
  amount_minor: number
  discount_minor: number
  explain: string
}

/** Why a payment is ended: its order's time is over, its owner takes it back, another payment takes its place. */
export type CancelReason = 'lapse' | 'cancel' | 'another'

interface PaymentsTable {
  id: string
  userid: string
  invoice_id: string
  state: PaymentState
  currency: Currency
  promo_minor: number
  balance_minor: number
  rolled_minor: number
  card_minor: number
  collected_minor: number
  method_id: string | null
  gateway: string | null
  gateway_ref: string | null
  decline_code: string | null
  action_url: string | null
  /** Why it is to be ended at the gateway. */
  canceling_for: Generated<CancelReason | null>
  /** How often in a row the gateway gave no clear answer. */
  unanswered: Generated<number>
  /** How often it was made at the gateway. */
  sends: Generated<number>
  /** The id under which the gateway knows it, where that is another: a capture that was found there. */
  captured_as: Generated<string | null>
  /** How often its invoice had been opened again when it began. */
  round: number
  created_at: Date
  ended_at: Date | null
}

interface CreditNotesTable {
  id: string
  userid: string
  invoice_id: string
  currency: Currency
  cash_minor: number
  promo_minor: number
  receivable_minor: number
  issued_at: Date
  recorded_at: Date
  /** Null: from before it was written down. */
  cause: CreditCause | null
  /** In staff's words, of what they refund. */
  reason: Generated<string | null>
}

/** The cause of a credit: the item ended or never ran, we stopped it, its readings were wrong, or staff refunded it. */
export type CreditCause = 'ended' | 'neverRan' | 'stopped' | 'readings' | 'refunded'

interface CreditNoteItemsTable {
  credit_note_id: string
  invoice_id: string
  line: number
  userid: string
  amount_minor: number
  discount_minor: number
}

interface PromoGrantsTable {
  id: string
  userid: string
  currency: Currency
  amount_minor: number
  left_minor: number
  expires_at: Date | null
  created_at: Date
}

interface PromoUsesTable {
  payment_id: string
  grant_id: string
  amount_minor: number
}

declare module '../../../../platform/db/index.ts' {
  interface Tables {
    billing_accounts: BillingAccountsTable
    subscriptions: SubscriptionsTable
    subscription_items: SubscriptionItemsTable
    invoices: InvoicesTable
    invoice_items: InvoiceItemsTable
    payments: PaymentsTable
    credit_notes: CreditNotesTable
    credit_note_items: CreditNoteItemsTable
    promo_grants: PromoGrantsTable
    promo_uses: PromoUsesTable
  }
}

export type SubscriptionRow = Selectable<SubscriptionsTable>
export type SubscriptionItemRow = Selectable<SubscriptionItemsTable>
export type InvoiceRow = Selectable<InvoicesTable>
export type InvoiceItemRow = Selectable<InvoiceItemsTable>
export type PaymentRow = Selectable<PaymentsTable>
export type CreditNoteRow = Selectable<CreditNotesTable>
