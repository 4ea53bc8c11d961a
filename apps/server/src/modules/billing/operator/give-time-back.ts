import type { Trx } from '../../../platform/db/index.ts'
import { lockOperated } from '../../accounts/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { creditStopped } from '../pay/credit/credit-stopped.ts'
import { noteLostTime } from '../records/documents/stopped-spans.ts'
import '../records/documents/document-tables.ts'

/**
 * Gives back what the machines of a cluster were charged for the time since `from`, in which they could not be used
 * through no fault of their owner: by a credit note, to the balance. Time that was given back before is not given back
 * again. In the caller's transaction.
 */
export async function giveTimeBack(
  deps: OrderDeps,
  trx: Trx,
  { userid, clusterId, from }: { userid: string; clusterId: string; from: Date },
): Promise<void> {
  const { now } = await lockOperated(trx, userid)
  const rows = await trx
    .selectFrom('subscriptions')
    .select('id')
    .where('userid', '=', userid)
    .where('cluster_id', '=', clusterId)
    .where('ended_at', 'is', null)
    .execute()
  const subscriptions = rows.map(({ id }) => id)
  const at = now(deps.clock)
  await noteLostTime(trx, subscriptions, { start: now({ now: () => from }), end: at })
  await creditStopped(deps, trx, { userid, subscriptions, at })
}
