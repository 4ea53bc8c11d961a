import type { Caller } from '../../../../platform/caller.ts'
import type { Trx } from '../../../../platform/db/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import { accountNow } from '../../../accounts/index.ts'
import type { ClusterDeps } from '../../cluster-deps.ts'
import { saveMove } from '../../instances/instance-store.ts'
import { clusterFactsOf } from '../../lifecycle/action-facts.ts'
import { clusterRefusal, refuseIf } from '../../lifecycle/action-refusals.ts'
import type { InstanceRow } from '../../tables.ts'
import { allowedMove, type ClusterCommand, runCommand, setDesired } from '../cluster-command.ts'
import { auditSubject } from '../command-subject.ts'

/** Cancels the unpaid order of a cluster; only its owner may do so, not an Admin. */
export async function cancelUnpaidCluster(
  deps: ClusterDeps,
  caller: Caller,
  body: { subscriptionId: string; requestId?: string | undefined },
): Promise<{ status: 'canceled' | 'unpaid' }> {
  const clusterId = async (trx: Trx) => {
    const subscribed = await deps.billing.findSubscribed(trx, caller.userid, body.subscriptionId)
    if (!subscribed) return refuse('notFound', { object: 'subscription' })
    // A plan's order is taken back by changing to what the plan was.
    return subscribed.clusterId ?? refuse('nothingUnpaid')
  }
  return await runCommand(deps, caller, { call: 'cancelNoPaid', body, clusterId }, async (command) => {
    const { cluster, instances, master } = command
    refuseIf(clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), 'cancelUnpaid'))
    return await cancelUnpaid(deps, command, master)
  })
}

/**
 * Takes back the order by which an instance waits to be paid, with all that was ordered together: quota, name and
 * address are free at once, or where a card is being charged for it, once that has ended.
 */
export async function cancelUnpaid(
  deps: ClusterDeps,
  command: ClusterCommand,
  instance: InstanceRow,
): Promise<{ status: 'canceled' | 'unpaid' }> {
  const { trx, limits, cluster, instances, master, at } = command
  const userid = cluster.owner
  const invoiceId = await deps.billing.findUnpaidInvoice(trx, instance.id)
  // Paid or lapsed, and the reconciler is about to say so.
  if (invoiceId === undefined) return refuse('nothingUnpaid')
  // Else a card may be charged for it: the gateway is asked to end that, the order goes with it, and the log says so.
  const isLapsed = await deps.billing.lapse(trx, { userid, invoiceId, at: accountNow(limits, at), because: 'cancel' })
  await setDesired(command, instance === master && isLapsed ? 'destroyed' : undefined)
  const standings = await deps.billing.standings(trx, cluster.id)
  for (const ordered of instances) {
    if (ordered.status !== 'unpaid' || standings.of(ordered.id) !== 'lapsed') continue
    const to = allowedMove(ordered, 'cancelUnpaid')
    await saveMove(trx, ordered, { to, at, error: null, desired: 'destroyed' })
    const facts = { before: { status: ordered.status }, after: { status: to.status } }
    await auditSubject(command, ordered, 'cancel', facts)
  }
  return { status: isLapsed ? 'canceled' : 'unpaid' }
}
