import type { MeteredProduct } from '@atoll/contract/billing'
import type { DeclineCode } from '@atoll/contract/payments'
import type { Locale } from '@atoll/contract/wire'
import { type Currency, type Money, money } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import type { InvoiceRow, PaymentRow } from '../documents/document-tables.ts'
import { getDue } from '../documents/invoice-due.ts'
import { getInvoice } from '../documents/invoice-store.ts'
import { type ChargedLine, listChargedLines } from '../views/charged-lines.ts'

/** An invoice as mails show it. */
export interface MailedInvoice {
  number: string
  kind: InvoiceRow['kind']
  lines: readonly ChargedLine[]
  currency: Currency
  discount: Money
  coupon: string | null
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

/** What each kind of mail states. Times are the account's. */
export interface MailFacts {
  receipt: { invoice: MailedInvoice; payment: PaymentRow; card: { brand: string; last4: string } | null; at: Date }
  renewalSoon: { at: Date; rows: { name: Record<Locale, string>; amount: Money }[]; total: Money }
  failed: { invoice: MailedInvoice; code: DeclineCode | null; nextAt: Date | null; at: Date } & Stops
  approve: { invoice: MailedInvoice; amount: Money }
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
  refund: { name: string; toBalance: Money; offOwed: Money; toPromo: Money; lapsedPromo: Money; at: Date }
}
export type MailKindName = keyof MailFacts

/** What mails state of an invoice. */
export async function readMailedInvoice(db: Db, userid: string, invoiceId: string): Promise<MailedInvoice> {
  return await mailedInvoiceOf(db, await getInvoice(db, userid, invoiceId))
}

/** The same, of an invoice that was read. */
export async function mailedInvoiceOf(db: Db, invoice: InvoiceRow): Promise<MailedInvoice> {
  const { id, userid, number, kind, currency, coupon } = invoice
  const lines = (await listChargedLines(db, userid, [id])).get(id) ?? []
  return {
    ...{ number, kind, lines, currency, coupon },
    discount: money(invoice.discount_minor, currency),
    due: await getDue(db, invoice),
    clusters: [...new Set(lines.flatMap(({ cluster_name }) => cluster_name ?? []))],
  }
}
