import type { Db } from '../../../platform/db/index.ts'
import type { SubscriptionState } from '../records/documents/states.ts'

/**
 * How an instance stands with billing.
 *   unpaid     its order waits to be paid
 *   lapsed     its order was taken back: too late, or canceled
 *   clear      paid, or free
 *   overdue    a bill that its cluster stands on is past due
 *   graceOver  it is not sold any more: that bill was given up on, or its owner ended it
 */
export type Standing = 'unpaid' | 'lapsed' | 'clear' | 'overdue' | 'graceOver'

/** The standing of a cluster's instances. */
export interface Standings {
  of(instanceId: string): Standing
}

/** Of a cluster that was never sold. */
export const allClear: Standings = { of: () => 'clear' }

/**
 * How the instances of a cluster stand now. All of them are overdue with any: a cluster stands on the invoices that
 * hold an item of its instances. An order that waits says nothing of the rest, nor the rest of it.
 */
export async function readStandings(db: Db, clusterId: string): Promise<Standings> {
  const items = await db
    .selectFrom('subscription_items as item')
    .innerJoin('subscriptions', 'subscriptions.id', 'item.subscription_id')
    .select(['item.instance_id', 'item.state'])
    .where('subscriptions.cluster_id', '=', clusterId)
    .execute()
  const isOverdue = items.some(({ state }) => state === 'past_due')
  const known = new Map(items.map(({ instance_id, state }) => [instance_id, standingOf(state)]))
  return {
    of(instanceId) {
      const own = known.get(instanceId) ?? 'clear'
      return own === 'clear' && isOverdue ? 'overdue' : own
    },
  }
}

function standingOf(state: SubscriptionState): Standing {
  switch (state) {
    case 'unpaid':
      return 'unpaid'
    case 'canceled':
      return 'lapsed'
    case 'active':
      return 'clear'
    case 'past_due':
      return 'overdue'
    case 'ended':
      return 'graceOver'
  }
}
