/**
 * Applies an event that an instance's standing with billing requires, in one transaction: the owner's account is locked
 * first, and the standing is read again under that lock. A concurrent payment, cancellation or lapse therefore happens
 * either before, and decides, or after. Safe to repeat: an event that was applied is not required again.
 */
import { sql } from 'kysely'
import { findHold } from '../../../platform/careful/index.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { listRunningOperations } from '../../../platform/operations/index.ts'
import { accountNow } from '../../accounts/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { askedEvent, type MoneyEvent } from '../decide/money.ts'
import { desiredOf, listInstances, lockInstance } from '../instances/instance-store.ts'
import type { Snapshot } from '../instances/reconcile-store.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'
import { findActiveCluster } from '../views/active-clusters.ts'
import { writeEvent } from './instance-events.ts'

/** False where a payment under way has to end first, or what destroys has to wait. */
export async function applyMoneyEvent(
  deps: ClusterDeps,
  snapshot: Snapshot,
  instance: InstanceRow,
  event: MoneyEvent,
): Promise<boolean> {
  const { db, clock, accounts, billing } = deps
  const { cluster } = snapshot
  const userid = cluster.owner
  // It may have been paid since: by a payment that this database does not know, or before the time it is taken for.
  if (event === 'graceEnded' && (await findHold(db, { waits: 'deadline', source: 'gateway' }))) return false
  return await db.transaction().execute(async (trx) => {
    const at = accountNow(await accounts.lockLimits(trx, userid), clock.now())
    // Somebody was faster, here or with the money: it is observed again.
    if (!(await lockInstance(trx, instance))) return true
    const standing = (await billing.standings(trx, cluster.id)).of(instance.id)
    const desired = desiredOf(await getDesired(trx, cluster.id), instance)
    if (askedEvent({ status: instance.status, desired, standing }) !== event) return true
    if (event === 'cancelUnpaid') {
      const invoiceId = await billing.findUnpaidInvoice(trx, instance.id)
      if (invoiceId !== undefined && !(await billing.lapse(trx, { userid, invoiceId, at }))) return false
    }
    if (event === 'graceEnded') await wantDestroyed(trx, instance)
    // Paid when its cluster goes already: what it is worth goes back, and it ends.
    if (event === 'paid' && desired === 'destroyed') {
      await billing.refund(trx, { userid, instances: [{ instanceId: instance.id, hasRun: instance.has_run }], at })
    }
    // It had to wait for its payment to end.
    const isAsked = event === 'expired' && (await billing.wasCanceled(trx, instance.id))
    const isBeside = event === 'overdueSettled' && (await staysStopped(deps, trx, { snapshot, instance }))
    if (isBeside) await wantStopped(trx, cluster.id)
    const applied = isBeside ? 'overdueSettledBeside' : event
    await writeEvent(deps, trx, { snapshot, instance, event: applied, error: null, isAsked })
    return true
  })
}

/** Whether it would run again beside a cluster that has taken its ID over since it was stopped for its bill. */
async function staysStopped(
  deps: ClusterDeps,
  trx: Trx,
  { snapshot: { cluster, instances }, instance }: { snapshot: Snapshot; instance: InstanceRow },
): Promise<boolean> {
  const back = instance.resume_stack.at(-1)
  const wouldRun = back === 'running' || back === 'offline'
  const wasActive = instances.some(({ role, os_active }) => role === 'master' && os_active)
  if (!wouldRun || !wasActive) return false
  const kin = await deps.restores.listKin(trx, { owner: cluster.owner, clusterId: cluster.id })
  return (await findActiveCluster(trx, kin)) !== undefined
}

/**
 * The instances of a cluster, after payments that have just arrived are applied: a customer whose payment was confirmed
 * can act on an instance at once, without waiting for the reconciler. Called with the account and the cluster locked.
 */
export async function applyPaid(deps: ClusterDeps, trx: Trx, cluster: ClusterRow): Promise<InstanceRow[]> {
  const instances = await listInstances(trx, cluster.id)
  const unpaid = instances.filter(({ status }) => status === 'unpaid')
  if (unpaid.length === 0) return instances
  const standings = await deps.billing.standings(trx, cluster.id)
  const operations = await listRunningOperations(trx, cluster.id)
  for (const instance of unpaid) {
    const facts = {
      status: instance.status,
      desired: desiredOf(cluster, instance),
      standing: standings.of(instance.id),
    }
    if (facts.desired === 'destroyed' || askedEvent(facts) !== 'paid' || !(await lockInstance(trx, instance))) continue
    await writeEvent(deps, trx, { snapshot: { cluster, instances, operations }, instance, event: 'paid', error: null })
  }
  return await listInstances(trx, cluster.id)
}

async function getDesired(trx: Trx, clusterId: string): Promise<Pick<ClusterRow, 'desired'>> {
  return await trx.selectFrom('clusters').select('desired').where('id', '=', clusterId).executeTakeFirstOrThrow()
}

/** Its owner may start it once the other one is disabled. */
async function wantStopped(trx: Trx, clusterId: string): Promise<void> {
  await trx
    .updateTable('clusters')
    .set({ desired: 'stopped', generation: sql`generation + 1` })
    .where('id', '=', clusterId)
    .where('desired', '=', 'running')
    .execute()
}

/** An unpaid instance is to be destroyed; an unpaid master, with its whole cluster. */
async function wantDestroyed(trx: Trx, { role, id, cluster_id }: InstanceRow): Promise<void> {
  if (role === 'worker') {
    await trx.updateTable('instances').set({ desired: 'destroyed' }).where('id', '=', id).execute()
    return
  }
  await trx
    .updateTable('clusters')
    .set({ desired: 'destroyed', generation: sql`generation + 1` })
    .where('id', '=', cluster_id)
    .execute()
}
