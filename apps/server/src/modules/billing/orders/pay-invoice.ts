import type { Trx } from '../../../platform/db/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { getInvoice } from '../documents/invoice-store.ts'
import { findOpenPayment } from '../documents/payment-store.ts'
import { beginPayment, endPayment, type Method } from './begin-payment.ts'

/**
 * Tries to pay an open invoice, with what the account has now and with `method`; under the account's lock. A payment that
 * only waited for a card gives way; one that was sent is answered as it is, because it is never sent anew. Undefined for
 * an invoice that is closed.
 */
export async function payInvoice(
  deps: OrderDeps,
  trx: Trx,
  { userid, invoiceId, at, method }: { userid: string; invoiceId: string; at: Date; method: Method | null },
): Promise<{ paymentId: string; paid: boolean } | undefined> {
  const invoice = await getInvoice(trx, userid, invoiceId)
  if (invoice.state !== 'open' && invoice.state !== 'uncollectible') return undefined
  const open = await findOpenPayment(trx, invoiceId)
  if (open && open.state !== 'created') return { paymentId: open.id, paid: false }
  if (open) await endPayment(trx, open, { event: 'canceled', at })
  const { payment, paid } = await beginPayment(deps, trx, invoice, { at, method, mayRoll: method !== null })
  return { paymentId: payment.id, paid }
}
