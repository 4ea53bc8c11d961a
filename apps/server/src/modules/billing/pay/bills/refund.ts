import { addMoney, type Currency, smallerMoney, subtractMoney } from '@atoll/money'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import type { OrderDeps } from '../../billing-deps.ts'
import { type PricedRefund, priceRefund, type RefundedItem, sumRefunds } from '../../pricing/price-refund.ts'
import { getDue } from '../../records/documents/invoice-due.ts'
import { moveItemsOn } from '../../records/documents/subscription-store.ts'
import { retryOwed } from '../../records/retry-owed.ts'
import { creditOf } from '../credit/credit-of.ts'
import { creditStopped } from '../credit/credit-stopped.ts'
import { listLivingItems, listRefundable, type RefundableLines, type RefundOrder } from '../credit/refundable-lines.ts'
import { closeWhenNothingIsOwed, giveCredit } from './give-credit.ts'

/** The refund for ending the instances: the same as `refund` would post at that instant. */
export async function estimateRefund(db: Db, order: RefundOrder, currency: Currency): Promise<PricedRefund> {
  const found = await listRefundable(db, order)
  const priced: RefundedItem[] = []
  for (const own of found) priced.push(...(await priceOwn(db, own, order.at)).items)
  return sumRefunds(priced, currency)
}

/**
 * The refund of one invoice's lines. If the invoice was paid and a bank took the payment back, its amount due is
 * reduced first.
 */
export async function priceOwn(
  db: Db,
  { invoice, payment, refundable }: RefundableLines,
  at: Date,
): Promise<PricedRefund> {
  const priced = priceRefund(refundable, at, invoice.currency)
  if (invoice.state !== 'open' || payment === null) return priced
  let due = await getDue(db, invoice)
  const items = priced.items.map((item) => {
    const off = smallerMoney(item.toBalance, due)
    due = subtractMoney(due, off)
    return { ...item, toBalance: subtractMoney(item.toBalance, off), offOwed: addMoney(item.offOwed, off) }
  })
  return sumRefunds(items, invoice.currency)
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
    const refunded = await priceOwn(trx, own, at)
    const credit = creditOf(own, refunded, at)
    if (credit) await giveCredit(deps, trx, { ...credit, at })
    refunds.push(refunded)
  }
  const items = await listLivingItems(trx, order)
  await moveItemsOn(trx, items, 'ended', at)
  // Where the one that ended stood alone on what was owed, the rest of its cluster is no longer stopped.
  await creditStopped(deps, trx, { userid, subscriptions: items.map((item) => item.subscription_id), at })
  for (const { invoice } of found) await closeWhenNothingIsOwed(deps, trx, invoice, at)
  if (items.length > 0) await publishChange(trx, { account: userid, topic: 'billing', id: userid })
  const given = sumRefunds(
    refunds.flatMap((one) => one.items),
    currency,
  )
  if (given.toBalance.minor + given.toPromo.minor > 0) await retryOwed(trx, userid, at)
  return given
}
