import { newId } from '../../../../platform/crypto.ts'
import type { Trx } from '../../../../platform/db/index.ts'
import { type AnyPosting, postAllToLedger } from '../../../ledger/index.ts'
import type { OrderDeps } from '../../billing-deps.ts'
import type { PricedBasket, PricedItem } from '../../pricing/basket.ts'
import { keepCouponCards, requireOwnCards } from '../../records/coupon-cards.ts'
import type { InvoiceRow } from '../../records/documents/document-tables.ts'
import { insertInvoice, type NewInvoiceItem } from '../../records/documents/invoice-store.ts'
import { dueKinds, lapseMailMs } from '../../schedule/due-kinds.ts'
import { scheduleDue } from '../../schedule/due-store.ts'
import { earnedBy } from '../credit/earned-items.ts'

/** The fields of a line besides its figures. */
export type SoldAs = Pick<NewInvoiceItem, 'item_id' | 'product_type' | 'revenue' | 'price_id' | 'reason' | 'part'>

export interface Issue extends Pick<InvoiceRow, 'userid' | 'kind'> {
  /** For bills of due items: `nextInvoiceId`. Absent: a new id. */
  id?: string
  /** Time of the account. */
  at: Date
  /** Until when it can be paid; null: it has no end. */
  validUntil: Date | null
  basket: PricedBasket
  soldAs: (item: PricedItem) => SoldAs
}

/** Has an order that waits to be paid lapse then, and a mail say so before, where there is time for one. */
export async function scheduleLapse(trx: Trx, { id, userid, issued_at }: InvoiceRow, validUntil: Date): Promise<void> {
  const of = { userid, object: id }
  const mailAt = new Date(validUntil.getTime() - lapseMailMs)
  const mail = { ...of, kind: dueKinds.lapseMail, dueAt: mailAt }
  await scheduleDue(trx, { ...of, kind: dueKinds.orderLapse, dueAt: validUntil }, ...(mailAt > issued_at ? [mail] : []))
}

/** Issues a priced basket as an open invoice, with its coupon, and posts it. The caller holds the account's lock. */
export async function issueInvoice(deps: Pick<OrderDeps, 'clock'>, trx: Trx, issue: Issue): Promise<InvoiceRow> {
  const { invoice, postings } = await writeInvoice(deps, trx, issue)
  await postAllToLedger(trx, postings)
  return invoice
}

/** As `issueInvoice`, but for its posting, which is the caller's to make. */
export async function writeInvoice(
  { clock }: Pick<OrderDeps, 'clock'>,
  trx: Trx,
  issue: Issue,
): Promise<{ invoice: InvoiceRow; postings: AnyPosting[] }> {
  const { id = newId('inv'), userid, kind, at, validUntil, basket, soldAs } = issue
  const { currency } = basket.total
  const lines = basket.items.map((item) => ({
    ...soldAs(item),
    period_start: item.period.start,
    period_end: item.period.end,
    proration: item.proration,
    amount_minor: item.amount.minor,
    discount_minor: item.discount.minor,
    explain: JSON.stringify(item.explain),
  }))
  const amounts = {
    gross_minor: basket.gross.minor,
    discount_minor: basket.discount.minor,
    total_minor: basket.total.minor,
  }
  const head = { id, userid, kind, currency, coupon: basket.coupon?.code ?? null }
  const times = { issued_at: at, recorded_at: clock.now(), valid_until: validUntil }
  const invoice = await insertInvoice(trx, { ...head, ...amounts, ...times }, lines)
  if (basket.coupon) {
    await keepCouponCards(trx, userid)
    await requireOwnCards(trx, { userid, code: basket.coupon.code, invoiceId: invoice.id })
  }
  // The last minutes of a period cost nothing, and nothing moves.
  if (basket.gross.minor === 0) return { invoice, postings: [] }
  const about = { userid, at, document: invoice.id, key: `${invoice.id} issued` }
  return { invoice, postings: [{ ...about, kind: 'invoice', facts: { items: earnedBy(lines, currency) } }] }
}
