import { formatMajorUnits, money } from '@atoll/money'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { mailRefund } from '../mails/mail-hooks.ts'
import { lapseOrder } from '../pay/bills/lapse-order.ts'
import { refund } from '../pay/bills/refund.ts'
import type { RefundOrder } from '../pay/credit/refundable-lines.ts'
import { PaymentUnderWay } from '../pay/payment-under-way.ts'
import type { PricedRefund } from '../pricing/price-refund.ts'
import { findOpenPayment } from '../records/documents/payment-store.ts'
import { listItems } from '../records/documents/subscription-store.ts'
import { findRefundBasis } from './refund-basis.ts'
import { refundInstant } from './refund-token.ts'

export interface EndOrder {
  userid: string
  clusterId: string
  /** The one worker that ends; null: the whole cluster. */
  instanceId: string | null
  instances: RefundOrder['instances']
  /** The estimate that the person was shown, if any. */
  estimateToken?: string | undefined
}

/**
 * Ends instances that somebody destroys, in the transaction of that request and under the account's lock: unpaid orders
 * are taken back, and unused time of the others is refunded. False, and nothing done, if the shown refund has changed.
 * Refuses while a card may be charged for them right now; under `cancelingPayments` that is ended, and
 * this can be repeated in a moment.
 */
export async function endInstances(
  deps: OrderDeps & { sealer: Pick<Sealer, 'derive' | 'accepts'> },
  trx: Trx,
  { userid, clusterId, instanceId, instances, estimateToken }: EndOrder,
): Promise<boolean> {
  const now = accountNow(await deps.accounts.lockLimits(trx, userid), deps.clock.now())
  const asked = { userid, clusterId, instanceId }
  let at = now
  if (estimateToken !== undefined) {
    const basis = await findRefundBasis(trx, { userid, instances, at: now })
    const instant = refundInstant(deps.sealer, estimateToken, { ...asked, basis }, now)
    if (!instant) return false
    at = instant
  }
  for (const { id, isOrder } of await listOpenInvoices(trx, instances)) {
    const payment = await findOpenPayment(trx, id)
    if (payment && payment.state !== 'created') throw new PaymentUnderWay({ userid, invoiceId: id, isOrder })
    if (isOrder) await lapseOrder(deps, trx, { userid, invoiceId: id, at: now })
  }
  const given = await refund(deps, trx, { userid, instances, at })
  await recordGiven(trx, { userid, clusterId, given })
  await mailRefund(deps, trx, { userid, clusterId, refund: given, at })
  return true
}

/** Open invoices on which the instances stand; orders are those that no item of theirs was ever paid by. */
async function listOpenInvoices(
  trx: Trx,
  instances: RefundOrder['instances'],
): Promise<{ id: string; isOrder: boolean }[]> {
  const items = await listItems(trx, { instanceIds: instances.map((one) => one.instanceId) })
  if (items.length === 0) return []
  const unpaid = new Set(items.filter(({ state }) => state === 'unpaid').map(({ id }) => id))
  const rows = await trx
    .selectFrom('invoice_items')
    .innerJoin('invoices', 'invoices.id', 'invoice_items.invoice_id')
    .select(['invoices.id', 'item_id'])
    .where(
      'item_id',
      'in',
      items.map(({ id }) => id),
    )
    .where('invoices.state', '=', 'open')
    .orderBy('invoices.id')
    .execute()
  const orders = new Map<string, boolean>()
  for (const { id, item_id } of rows) orders.set(id, (orders.get(id) ?? false) || unpaid.has(item_id))
  return [...orders].map(([id, isOrder]) => ({ id, isOrder }))
}

/** Records the total of the refund, to the customer or off a bill; its credit notes tell by which means. */
async function recordGiven(
  trx: Trx,
  { userid, clusterId, given }: { userid: string; clusterId: string; given: PricedRefund },
): Promise<void> {
  const { toBalance, toPromo, offOwed } = given
  const amount = money(toBalance.minor + toPromo.minor + offOwed.minor, toBalance.currency)
  if (amount.minor === 0) return
  const { name } = await trx
    .selectFrom('owned_clusters')
    .select('name')
    .where('id', '=', clusterId)
    .executeTakeFirstOrThrow()
  await recordAudit(trx, {
    ...({ actor: 'system', ip: null, action: 'invoice.credit' } as const),
    object: { kind: 'invoice', id: clusterId, owner: userid, name },
    after: { amount: formatMajorUnits(amount), currency: amount.currency },
  })
}
