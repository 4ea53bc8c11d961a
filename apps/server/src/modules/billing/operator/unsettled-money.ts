/** Operator decisions about unsettled money: writing off a bill, and payments whose outcome nobody can tell. */
import { type Money, money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { lockOperated } from '../../accounts/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { applyStep } from '../pay/attempts/write-outcome.ts'
import { cancelOpenPayment, isUnderWay } from '../pay/cancel-open-payment.ts'
import { wakeClustersOf } from '../pay/wake-clusters.ts'
import { writeOff } from '../pay/write-off.ts'
import type { AttemptDeps } from '../records/attempt-deps.ts'
import { isRefKnown } from '../records/capture-store.ts'
import type { InvoiceRow, PaymentRow } from '../records/documents/document-tables.ts'
import { getDue } from '../records/documents/invoice-due.ts'
import { findOpenPayment, findPayment, getPayment } from '../records/documents/payment-store.ts'
import { listItems, moveItemsOn } from '../records/documents/subscription-store.ts'
import { listOverdueItems, updateDunning } from '../records/dunning-store.ts'
import { checkUsageSoon } from '../schedule/check-usage-soon.ts'

/**
 * A bill that can be written off, and its amount due: under the account's lock, so that no more is written off than was
 * approved. Refuses a paid bill, and an order, which lapses automatically.
 */
export async function getOwedBill(trx: Trx, invoiceId: string): Promise<{ invoice: InvoiceRow; due: Money }> {
  const find = trx.selectFrom('invoices').selectAll().where('id', '=', invoiceId)
  const { userid } = (await find.executeTakeFirst()) ?? refuse('notFound', { object: 'invoice' })
  await lockOperated(trx, userid)
  const invoice = await find.executeTakeFirstOrThrow()
  const isOrder = (invoice.kind === 'order' || invoice.kind === 'plan') && invoice.reopened === 0
  if (invoice.state !== 'open' || isOrder) refuse('nothingOwed')
  return { invoice, due: await getDue(trx, invoice) }
}

/**
 * Writes off a bill before its grace period ends: it stops nothing any more, clusters that it had stopped start again,
 * and it may still be paid. Refuses while a card may be charged for it; that payment must end first.
 */
export async function writeOffBill(deps: OrderDeps, trx: Trx, invoiceId: string): Promise<Money> {
  const { userid } = (await getOwedBill(trx, invoiceId)).invoice
  const at = (await lockOperated(trx, userid)).now(deps.clock)
  const { invoice, due } = await getOwedBill(trx, invoiceId)
  const payment = await findOpenPayment(trx, invoiceId)
  if (payment && isUnderWay(payment)) refuse('paymentUnderWay')
  await cancelOpenPayment(trx, { invoiceId, at, because: 'another' })
  await writeOff(trx, invoice, at)
  await updateDunning(trx, invoiceId, { past_due_at: null })
  const items = await listItems(trx, { invoiceId })
  const pastDue = items.filter(({ state }) => state === 'past_due')
  const overdue = await listOverdueItems(
    trx,
    pastDue.map(({ id }) => id),
  )
  await moveItemsOn(
    trx,
    pastDue.filter(({ id }) => !overdue.has(id)),
    'settled',
    at,
  )
  await checkUsageSoon(trx, userid)
  await wakeClustersOf(deps, trx, items)
  await publishChange(trx, { account: userid, topic: 'billing', id: invoiceId })
  return due
}

/** A payment whose outcome its gateway does not tell; refuses every other. */
export async function getUnknownPayment(trx: Trx, paymentId: string): Promise<PaymentRow> {
  const payment = (await findPayment(trx, paymentId)) ?? refuse('notFound', { object: 'payment' })
  if (payment.state !== 'unknown') refuse('outcomeKnown')
  return payment
}

/**
 * Ends a payment whose outcome is unknown by what the operator saw at the gateway: charged, under that ref, or not. One
 * that turns out to be charged after all becomes credit, or goes back, as every late one.
 */
export async function resolvePayment(
  deps: AttemptDeps,
  trx: Trx,
  { paymentId, ref }: { paymentId: string /** Null: it was not charged. */; ref: string | null },
): Promise<void> {
  const { userid } = await getUnknownPayment(trx, paymentId)
  const at = (await lockOperated(trx, userid)).now(deps.clock)
  await getUnknownPayment(trx, paymentId)
  const payment = await getPayment(trx, userid, paymentId)
  const captured = money(payment.card_minor, payment.currency)
  const { gateway_ref: known } = payment
  if (ref !== null && known !== null && known !== ref) refuse('refOfOther', { ref: known })
  // One charge pays one thing: it may be another payment's, or credit since it was adopted.
  const gateway = payment.gateway ?? deps.gateway.name
  if (ref !== null && (await isRefKnown(trx, { gateway, ref, but: paymentId }))) refuse('refTaken')
  await applyStep(
    deps,
    trx,
    payment,
    ref === null
      ? { do: 'end', event: 'declined', ref: null, code: 'bankUnreachable' }
      : { do: 'settle', ref, captured },
    at,
  )
}
