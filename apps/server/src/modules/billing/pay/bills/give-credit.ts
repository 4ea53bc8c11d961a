import type { Trx } from '../../../../platform/db/index.ts'
import type { OrderDeps } from '../../billing-deps.ts'
import { splitPayment } from '../../pricing/split-payment.ts'
import type { InvoiceRow } from '../../records/documents/document-tables.ts'
import { getDue } from '../../records/documents/invoice-due.ts'
import { findOpenPayment } from '../../records/documents/payment-store.ts'
import { beginPayment, endPayment } from '../begin-payment.ts'
import { type Credit, postCredit } from '../credit/post-credit.ts'

/**
 * The credit note of one invoice, posted. The caller holds the account's lock, and no card may be charged for it now.
 */
export async function giveCredit(deps: Pick<OrderDeps, 'clock'>, trx: Trx, credit: Credit): Promise<void> {
  const { invoice, offOwed, at } = credit
  // A payment that waits for a card asks for more than is owed now.
  const waiting = offOwed.minor > 0 ? await findOpenPayment(trx, invoice.id) : undefined
  if (waiting) await endPayment(trx, waiting, { event: 'canceled', at })
  await postCredit(deps, trx, credit)
}

/**
 * An invoice that was owed, and of which nothing is any more by what was credited, is paid. Under the account's lock.
 */
export async function closeWhenNothingIsOwed(deps: OrderDeps, trx: Trx, invoice: InvoiceRow, at: Date): Promise<void> {
  if (invoice.state === 'paid') return
  const due = await getDue(trx, invoice)
  if (due.minor > 0) return
  const split = splitPayment(due, { promo: due, cash: due, mayRoll: false })
  await beginPayment(deps, trx, invoice, { at, method: null, split })
}
