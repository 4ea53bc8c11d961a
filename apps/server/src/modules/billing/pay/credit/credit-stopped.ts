import type { Trx } from '../../../../platform/db/index.ts'
import type { OrderDeps } from '../../billing-deps.ts'
import { priceRefund } from '../../pricing/price-refund.ts'
import { listStops } from '../../records/documents/stopped-spans.ts'
import { listItems } from '../../records/documents/subscription-store.ts'
import { retryOwed } from '../../records/retry-owed.ts'
import { creditOf } from './credit-of.ts'
import { postCredit } from './post-credit.ts'
import { listRefundable } from './refundable-lines.ts'

/**
 * Gives back what machines that go on were charged for time in which we had stopped them, once they are stopped no
 * more: of what was paid, to the balance. A bill that is still owed follows when it is paid. Safe to repeat: what was
 * given back of a line is not given back again. Under the account's lock.
 */
export async function creditStopped(
  deps: OrderDeps,
  trx: Trx,
  { userid, subscriptions, at }: { userid: string; subscriptions: readonly string[]; at: Date },
): Promise<void> {
  const stops = await listStops(trx, [...new Set(subscriptions)], at)
  const over = [...stops].flatMap(([id, spans]) => (spans.every(({ isOver }) => isOver) ? [id] : []))
  if (over.length === 0) return
  const items = await listItems(trx, { subscriptionIds: over })
  const instances = items.flatMap(({ instance_id: instanceId }) =>
    instanceId === null ? [] : [{ instanceId, hasRun: true }],
  )
  let given = 0
  for (const own of await listRefundable(trx, { userid, instances, at })) {
    if (own.invoice.state !== 'paid') continue
    const refunded = priceRefund(own.refundable, null, own.invoice.currency)
    const credit = creditOf(own, refunded, null)
    if (!credit) continue
    await postCredit(deps, trx, { ...credit, at })
    given += refunded.toBalance.minor + refunded.toPromo.minor
  }
  if (given > 0) await retryOwed(trx, userid, at)
}
