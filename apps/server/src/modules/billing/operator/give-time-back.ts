import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { listHolds, lockOperated } from '../../accounts/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { creditStopped } from '../pay/credit/credit-stopped.ts'
import { noteStopped } from '../records/documents/stopped-spans.ts'
import '../records/documents/document-tables.ts'

/** Time since `from` (wall time) in which a cluster, or with null every cluster of the account, could not be used. */
export interface LostTime {
  userid: string
  clusterId: string | null
  from: Date
}

/**
 * Gives back what the machines were charged for time that was lost through no fault of their owner: by a credit note,
 * to the balance. Time that was given back before is not given back again, nor is time in which a suspension that still
 * lasts stopped them too. In the caller's transaction.
 */
export async function giveTimeBack(deps: OrderDeps, trx: Trx, { userid, clusterId, from }: LostTime): Promise<void> {
  const { now } = await lockOperated(trx, userid)
  const timeAt = (moment: Date) => now({ now: () => moment })
  const [start, at] = [timeAt(from), now(deps.clock)]
  let query = trx
    .selectFrom('subscriptions')
    .select(['id', 'cluster_id'])
    .where('userid', '=', userid)
    .where('kind', '=', 'cluster')
    .where('ended_at', 'is', null)
  if (clusterId !== null) query = query.where('cluster_id', '=', clusterId)
  const subscriptions = await query.execute()
  const holds = (await listHolds(trx, userid)).filter(
    // Of a closing the owner asked, who is given that back when it ends.
    ({ scope, reason }) => scope === 'servers' && reason !== 'closing',
  )
  for (const { id, cluster_id } of subscriptions) {
    const held = holds.find((hold) => hold.cluster_id === null || hold.cluster_id === cluster_id)
    await noteStopped(trx, id, { start, end: held ? timeAt(held.held_at) : at })
  }
  await creditStopped(deps, trx, { userid, subscriptions: subscriptions.map(({ id }) => id), at })
  await publishChange(trx, { account: userid, topic: 'billing', id: userid })
}
