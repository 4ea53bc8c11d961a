import type { Bill } from '../pay/bills/load-bill.ts'
import { isUnderWay } from '../pay/cancel-open-payment.ts'
import type { PaymentRow } from '../records/documents/document-tables.ts'
import type { SoldItem } from '../records/documents/subscription-store.ts'

/** A subscription that goes whole: of a cluster, with all instances that were ever sold for it, or of the plan. */
export interface Ending {
  subscriptionId: string
  /** Null: the plan. */
  clusterId: string | null
  instanceIds: string[]
}

/** `payment`: the one under way that is waited for; absent: a suspension is. */
export type GiveUpStep<Payment> =
  | { does: 'nothing' }
  | { does: 'wait'; payment?: Payment }
  | { does: 'giveUp'; ends: Ending[] }

type Open = Pick<PaymentRow, 'state' | 'method_id'>
type Item = Pick<SoldItem, 'state' | 'subscription_id' | 'cluster_id' | 'instance_id'>

/**
 * Decides about a bill whose days of grace are over. A card that pays another bill for what ends would pay for nothing,
 * as only the amount paid by then is given back: that payment is waited for, too. Pure.
 */
export function decideGiveUp<Payment extends Open>(
  {
    invoice,
    isHeldUp,
    open,
  }: Pick<Bill, 'isHeldUp'> & { invoice: Pick<Bill['invoice'], 'state'>; open?: Payment | undefined },
  /** On the bill; all of the subscriptions that are past due on it; and open payments of other bills for these. */
  { items, siblings, others }: { items: readonly Item[]; siblings: readonly Item[]; others: readonly Payment[] },
): GiveUpStep<Payment> {
  if (invoice.state !== 'open') return { does: 'nothing' }
  if (isHeldUp) return { does: 'wait' }
  const payment = [...(open ? [open] : []), ...others].find(isUnderWay)
  if (payment) return { does: 'wait', payment }
  const overdue = new Set(items.filter(({ state }) => state === 'past_due').map((item) => item.subscription_id))
  const ends = [...overdue].map((subscriptionId) => {
    const own = siblings.filter((item) => item.subscription_id === subscriptionId)
    const instanceIds = own.flatMap(({ instance_id }) => instance_id ?? [])
    return { subscriptionId, clusterId: own[0]?.cluster_id ?? null, instanceIds }
  })
  return { does: 'giveUp', ends }
}
