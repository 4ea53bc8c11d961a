/**
 * Audit records of events that nobody requested: an instance joined, was lost, came back or failed; an owner activated.
 */
import type { Reason } from '@atoll/contract/api'
import { MachineCopies } from '@atoll/contract/clusters'
import type { Trx } from '../../../platform/db/index.ts'
import { type AuditEntry, recordAudit } from '../../audit/index.ts'
import type { ClusterEvent, Position } from '../lifecycle/cluster-state.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'
import { instanceName } from '../views/instance-json.ts'

type InstanceAction = Extract<AuditEntry['action'], `instance.${string}`>

/** The others follow from what a person asked, which is a record already. */
const recorded: Partial<Record<ClusterEvent, InstanceAction>> = {
  silenced: 'instance.lose',
  reported: 'instance.return',
  vanished: 'instance.vanish',
  lost: 'instance.recover',
  failed: 'instance.fail',
  expired: 'instance.lapse',
}

/** Effects of a bill on a cluster: recorded with its master, once for all of its instances. */
const recordedOfCluster: Partial<Record<ClusterEvent, 'cluster.suspend' | 'cluster.resume' | 'cluster.giveUp'>> = {
  overdue: 'cluster.suspend',
  overdueSettled: 'cluster.resume',
  overdueSettledBeside: 'cluster.resume',
  graceEnded: 'cluster.giveUp',
}

interface InstanceEvent {
  cluster: ClusterRow
  /** As it was before. */
  instance: InstanceRow
  event: ClusterEvent
  to: Position
  reason: Reason | null
  /** An order that lapses was taken back by its owner. */
  isAsked: boolean
}

/** Records `event` where people search for it in the log; in the transaction that applies it. */
export async function recordEvent(
  trx: Trx,
  { cluster, instance, event, to, reason, isAsked }: InstanceEvent,
): Promise<void> {
  // Nobody reads of those; the drill says itself what came of it.
  if (cluster.purpose === 'drill') return
  const isMaster = instance.role === 'master'
  const ofCluster = isMaster ? (isAsked ? 'cluster.cancel' : recordedOfCluster[event]) : undefined
  const by = { actor: isAsked ? { userid: cluster.owner, sessionId: null } : ('system' as const), ip: null }
  if (ofCluster) {
    return await recordAudit(trx, {
      ...by,
      action: ofCluster,
      object: { kind: 'cluster', id: cluster.id, owner: cluster.owner, name: cluster.name },
      before: { status: instance.status },
      after: { status: to.status },
    })
  }
  const joins = event === 'provisioned' && cluster.cluster_type === 'SelfHost'
  const action = joins ? 'instance.join' : isAsked ? 'instance.cancel' : recorded[event]
  if (!action) return
  await recordAudit(trx, {
    ...by,
    action,
    object: { kind: 'instance', id: instance.id, owner: cluster.owner, name: cluster.name },
    before: { status: instance.status },
    after: {
      status: to.status,
      instance: instanceName(instance),
      // In the reader's language later, so as data.
      ...(reason && { reason: JSON.stringify(reason) }),
    },
  })
}

/**
 * Records that another machine runs with a copy of the instance's disk: once, until the owner has said which goes on.
 */
export async function recordCopy(
  trx: Trx,
  {
    clusterId,
    instanceId,
    before,
    copies,
  }: { clusterId: string; instanceId: string; before: string | null; copies: MachineCopies | null },
): Promise<void> {
  const [newest] = copies?.refused ?? []
  const isKnown = before !== null && !MachineCopies.parse(JSON.parse(before)).isAnswered
  if (!newest || copies?.isAnswered || isKnown) return
  const { owner, name, role, ordinal } = await trx
    .selectFrom('clusters')
    .innerJoin('instances', 'instances.cluster_id', 'clusters.id')
    .select(['clusters.owner', 'clusters.name', 'instances.role', 'instances.ordinal'])
    .where('clusters.id', '=', clusterId)
    .where('instances.id', '=', instanceId)
    .executeTakeFirstOrThrow()
  await recordAudit(trx, {
    actor: 'system',
    ip: null,
    action: 'instance.copy',
    before: null,
    object: { kind: 'instance', id: instanceId, owner, name },
    after: { instance: instanceName({ role, ordinal }), hostName: newest.hostName },
  })
}

type Activity = Pick<InstanceRow, 'role' | 'os_active' | 'has_password'>

/**
 * Records that the owner activated the cluster or set a new password, both at the instance itself with the wallet's
 * signature: the agent reports no more than that it happened.
 */
export async function recordActivity(
  trx: Trx,
  clusterId: string,
  before: Activity,
  after: Omit<Activity, 'role'>,
): Promise<void> {
  if (before.role !== 'master' || !after.os_active) return
  const activates = !before.os_active
  // The one-time password of a reset is gone once a new password is set.
  if (!activates && !(before.has_password && !after.has_password)) return
  const { owner, name } = await trx
    .selectFrom('clusters')
    .select(['owner', 'name'])
    .where('id', '=', clusterId)
    .executeTakeFirstOrThrow()
  await recordAudit(trx, {
    actor: { userid: owner, sessionId: null },
    ip: null,
    action: activates ? 'cluster.activate' : 'cluster.setPassword',
    object: { kind: 'cluster', id: clusterId, owner, name },
    before: activates ? { status: 'inactivated' } : null,
    after: activates ? { status: 'running' } : null,
  })
}
