import { type Currency, divideHalfEven, money, subtractMoney } from '@atoll/money'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { insertCreditNote } from '../documents/credit-note-store.ts'
import type { InvoiceItemRow } from '../documents/document-tables.ts'
import { getDue } from '../documents/invoice-due.ts'
import { findOpenPayment } from '../documents/payment-store.ts'
import { giveBackPromo } from '../documents/promo-store.ts'
import { moveItemsOn } from '../documents/subscription-store.ts'
import { type PricedRefund, priceRefund, type RefundedItem, sumRefunds } from '../pricing/price-refund.ts'
import { splitPayment } from '../pricing/split-payment.ts'
import { retryOwed } from '../renewals/retry-owed.ts'
import { beginPayment, endPayment } from './begin-payment.ts'
import { earnedBy } from './earned-items.ts'
import { listLivingItems, listRefundable, type RefundableLines, type RefundOrder } from './refundable-lines.ts'

/** What ending the instances would give back: what `refund` at that instant posts. */
export async function estimateRefund(db: Db, order: RefundOrder, currency: Currency): Promise<PricedRefund> {
  const found = await listRefundable(db, order)
  return priceRefund(
    found.flatMap(({ refundable }) => refundable),
    order.at,
    currency,
  )
}

/**
 * Ends the items of instances or of a plan and gives back what is left of their time, in the caller's transaction and
 * under the account's lock: of what was paid to the balance, of what is owed off its invoice, which is closed when
 * nothing is left of it. Safe to repeat: an item ends once. An order that is not paid is left: see `lapseOrder`.
 */
export async function refund(deps: OrderDeps, trx: Trx, order: RefundOrder): Promise<PricedRefund> {
  const { userid, at } = order
  const { currency } = await deps.accounts.lockLimits(trx, userid)
  const found = await listRefundable(trx, order)
  const refunds: PricedRefund[] = []
  for (const own of found) {
    const refunded = priceRefund(own.refundable, at, currency)
    await credit(deps, trx, own, refunded, at)
    refunds.push(refunded)
  }
  const items = await listLivingItems(trx, order)
  await moveItemsOn(trx, items, 'ended', at)
  for (const { invoice, payment } of found) {
    const due = await getDue(trx, invoice)
    if (payment || due.minor > 0) continue
    const split = splitPayment(due, { promo: due, cash: due, mayRoll: false })
    await beginPayment(deps, trx, invoice, { at, method: null, split })
  }
  if (items.length > 0) await publishChange(trx, { account: userid, topic: 'billing', id: userid })
  const given = sumRefunds(
    refunds.flatMap((one) => one.items),
    currency,
  )
  if (given.toBalance.minor + given.toPromo.minor > 0) await retryOwed(trx, userid, at)
  return given
}

/** The credit note of one invoice; none where nothing goes back. */
async function credit(
  { clock }: Pick<OrderDeps, 'clock'>,
  trx: Trx,
  { invoice, payment, lines }: Pick<RefundableLines, 'invoice' | 'payment'> & { lines: readonly InvoiceItemRow[] },
  refunded: PricedRefund,
  at: Date,
): Promise<void> {
  const { userid, currency, id: invoiceId } = invoice
  const credited = lines.flatMap((line, index) => {
    const item = refunded.items[index]
    const part = item && creditedPart(line, item)
    return part && part.amount_minor > 0 ? [{ ...line, ...part }] : []
  })
  if (credited.length === 0) return
  const { toBalance, toPromo, offOwed, lapsedPromo } = refunded
  // What waited for a card asked for more than is owed now.
  const waiting = offOwed.minor > 0 ? await findOpenPayment(trx, invoiceId) : undefined
  if (waiting) await endPayment(trx, waiting, { event: 'canceled', at })
  const id = newId('cn')
  await insertCreditNote(
    trx,
    {
      ...{ id, userid, invoice_id: invoiceId, currency, issued_at: at, recorded_at: clock.now() },
      ...{ cash_minor: toBalance.minor, promo_minor: toPromo.minor, receivable_minor: offOwed.minor },
      lapsed_promo_minor: lapsedPromo.minor,
    },
    credited.map(({ line, amount_minor, discount_minor }) => ({ line, amount_minor, discount_minor })),
  )
  const to = { cash: toBalance, receivable: offOwed, promo: toPromo }
  const facts = { items: earnedBy(credited, currency), to }
  if (toBalance.minor + toPromo.minor + offOwed.minor > 0) {
    await postToLedger(trx, { userid, at, kind: 'credit_note', facts, document: id, key: `${id} issued` })
  }
  if (payment && toPromo.minor > 0) await giveBackPromo(trx, payment.id, toPromo)
}

/** How much of a line's amount and discount is taken back, so that their difference is what goes back of its net. */
function creditedPart(
  { amount_minor: amount, discount_minor: discount }: InvoiceItemRow,
  { toBalance, offOwed, toPromo, kept }: RefundedItem,
): { amount_minor: number; discount_minor: number } {
  const back = money(toBalance.minor + offOwed.minor + toPromo.minor, toBalance.currency)
  const net = amount - discount
  if (kept.minor === 0 && back.minor === net) return { amount_minor: amount, discount_minor: discount }
  const part = net === 0 ? 0 : Number(divideHalfEven(BigInt(amount) * BigInt(back.minor), BigInt(net)))
  return { amount_minor: part, discount_minor: subtractMoney(money(part, back.currency), back).minor }
}
