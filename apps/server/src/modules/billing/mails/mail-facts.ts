import type { MeteredProduct } from '@atoll/contract/billing'
import type { DeclineCode } from '@atoll/contract/payments'
import type { Locale } from '@atoll/contract/wire'
import { type Currency, type Money, money } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import type { PaymentSplit, PricedBasket } from '../pricing/basket.ts'
import { sumOffOwed } from '../records/documents/credit-note-store.ts'
import type { InvoiceRow, PaymentRow } from '../records/documents/document-tables.ts'
import { getDue } from '../records/documents/invoice-due.ts'
import { type ChargedLine, listChargedLines } from '../views/lines/charged-lines.ts'

/** An invoice as mails show it. */
export interface MailedInvoice {
  id: string
  number: string
  kind: InvoiceRow['kind']
  lines: readonly ChargedLine[]
  currency: Currency
  discount: Money
  coupon: string | null
  /** Given back while it was owed. */
  off: Money
  /** Of one that a bank took a payment back of: paid before, and taken back. */
  paid: Money
  lost: Money
  /** Still to pay. */
  due: Money
  /** Names of the clusters that stand on it. */
  clusters: string[]
}

/** When what stands on the invoice is stopped, and until when it is kept; null: stopped now, and mailed as such. */
interface Stops {
  stopsAt: Date | null
  keptUntil: Date | null
}

/** The facts of each kind of mail. Times are the account's. */
export interface MailFacts {
  receipt: { invoice: MailedInvoice; payment: PaymentRow; card: { brand: string; last4: string } | null; at: Date }
  renewalSoon: {
    at: Date
    rows: { name: Record<Locale, string>; amount: Money }[]
    coupon: PricedBasket['coupon'] | null
    /** After the coupon. */
    total: Money
    split: PaymentSplit
  }
  failed: { invoice: MailedInvoice; code: DeclineCode | null; nextAt: Date | null; at: Date } & Stops
  approve: { invoice: MailedInvoice; amount: Money } & Stops
  orderLapses: { invoice: MailedInvoice; at: Date }
  stopped: { invoice: MailedInvoice; until: Date }
  daysLeft: { invoice: MailedInvoice; days: number; until: Date }
  destroyed: { invoice: MailedInvoice }
  restored: { invoice: MailedInvoice }
  cardExpires: { brand: string; last4: string; month: number; year: number }
  plan: { name: Record<Locale, string>; at: Date }
  cap: { percent: number; used: Money; cap: Money }
  usage: {
    product: MeteredProduct
    percent: 80 | 100
    /** In `unitLabel`. */
    used: number
    quota: number
    unitLabel: string
    /** Nothing more is let through. */
    isLimited: boolean
    /** For each unit above the quota; null where the product stops there. */
    rate: { text: string; currency: Currency } | null
    /** Time of the account. */
    endsAt: Date
  }
  refundReturned: { amount: Money; at: Date }
  refundDone: { amount: Money; at: Date }
  refund: { name: string; toBalance: Money; offOwed: Money; toPromo: Money; at: Date }
}
export type MailKindName = keyof MailFacts

/**
 * Key of the mails about collecting an invoice. If a dispute reopens the invoice, the key changes, so the mails are
 * sent again.
 */
export function collectingKey({ id, reopened }: Pick<InvoiceRow, 'id' | 'reopened'>): string {
  return reopened === 0 ? id : `${id} again ${reopened}`
}

/** The facts about an invoice for mails; `due`: what is still to pay, where that was read. */
export async function mailedInvoiceOf(db: Db, invoice: InvoiceRow, due?: Money): Promise<MailedInvoice> {
  const { id, userid, number, kind, currency, coupon } = invoice
  const lines = (await listChargedLines(db, userid, [id])).get(id) ?? []
  const { minor: left } = due ?? (await getDue(db, invoice))
  const [total, lost] = [invoice.total_minor, invoice.reopened === 0 ? 0 : invoice.lost_minor]
  const off = invoice.reopened === 0 ? total - left : await sumOffOwed(db, id)
  return {
    id,
    number,
    kind,
    lines,
    currency,
    coupon,
    discount: money(invoice.discount_minor, currency),
    off: money(off, currency),
    paid: money(total - off + lost - left, currency),
    lost: money(lost, currency),
    due: money(left, currency),
    clusters: [...new Set(lines.flatMap(({ cluster }) => cluster?.name ?? []))],
  }
}
