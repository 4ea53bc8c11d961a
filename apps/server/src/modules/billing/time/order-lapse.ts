import type { Trx } from '../../../platform/db/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { getInvoice } from '../documents/invoice-store.ts'
import { lapseOrder } from '../orders/lapse-order.ts'
import type { Due, DueOutcome } from './due-runner.ts'

/** Takes an order back that nobody paid in time; one that a card may have paid is waited for. */
export async function runOrderLapse(
  deps: OrderDeps,
  trx: Trx,
  { userid, object: invoiceId, at }: Due,
): Promise<DueOutcome> {
  const { state } = await getInvoice(trx, userid, invoiceId)
  if (state !== 'open') return 'done'
  return (await lapseOrder(deps, trx, { userid, invoiceId, at })) ? 'done' : 'waiting'
}
