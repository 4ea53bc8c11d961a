import type { Trx } from '../../../platform/db/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { lapseOrder } from '../pay/bills/lapse-order.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'

/** Takes an order back that nobody paid in time; one that a card may have paid is waited for. */
export async function runOrderLapse(
  deps: OrderDeps,
  trx: Trx,
  { userid, object: invoiceId, at }: Due,
): Promise<DueOutcome> {
  const { state, reopened } = await getInvoice(trx, userid, invoiceId)
  if (state !== 'open' || reopened > 0) return 'done'
  return (await lapseOrder(deps, trx, { userid, invoiceId, at })) ? 'done' : 'waiting'
}
