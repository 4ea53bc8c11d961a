import { type Money, money } from '@atoll/money'
import type { Db } from '../../../../platform/db/index.ts'
import type { AttemptDeps } from '../../records/attempt-deps.ts'
import { getInvoice } from '../../records/documents/invoice-store.ts'
import { findOpenPayment } from '../../records/documents/payment-store.ts'
import { awaitOutcome, outcomeOf } from '../await-outcome.ts'

/** The current state of an order. */
export interface OrderOutcome {
  /** Another one for an order that was paid late. */
  invoiceId: string
  amount: Money
  paid: boolean
  /** A card is being charged. */
  pending: boolean
  /** Where the customer approves the payment. */
  actionUrl: string | null
}

/** The current state of the order that this invoice was first issued for. */
export async function readOutcome(db: Db, userid: string, invoiceId: string): Promise<OrderOutcome> {
  const invoice = await getInvoice(db, userid, await findNewest(db, invoiceId))
  const payment = invoice.state === 'open' ? await findOpenPayment(db, invoice.id) : undefined
  return {
    invoiceId: invoice.id,
    amount: money(invoice.total_minor, invoice.currency),
    paid: invoice.state === 'paid',
    pending: (payment && outcomeOf(payment).pending) ?? false,
    actionUrl: (payment && outcomeOf(payment).actionUrl) ?? null,
  }
}

/** Waits until an order's payment has ended or asks its customer, as long as calls wait for that. */
export async function awaitOrder(
  deps: Pick<AttemptDeps, 'db' | 'feed' | 'outcomeMs'>,
  userid: string,
  invoiceId: string,
): Promise<void> {
  const payment = await findOpenPayment(deps.db, invoiceId)
  if (payment) await awaitOutcome(deps, { userid, paymentId: payment.id })
}

/** The newest invoice for what the order is about. */
async function findNewest(db: Db, invoiceId: string): Promise<string> {
  const row = await db
    .selectFrom('invoice_items as first')
    .innerJoin('invoice_items as line', 'line.item_id', 'first.item_id')
    .innerJoin('invoices', 'invoices.id', 'line.invoice_id')
    .select('invoices.id')
    .where('first.invoice_id', '=', invoiceId)
    .where('invoices.kind', 'in', ['order', 'plan'])
    .orderBy('invoices.recorded_at', 'desc')
    .orderBy('invoices.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? invoiceId
}
