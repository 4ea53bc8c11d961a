/**
 * The recipe of every change that a person asks of a cluster, in one transaction; nothing is called outside.
 *   once      the same request key again gives the first answer (platform/requests)
 *   lock      the owner's account, the cluster, a backup that it is made of, agents, instances: always in this order
 *   refuse    `act` refuses with the sentences of lifecycle/action-refusals.ts
 *   change    `move` takes an instance to its new status, with its operation; `setDesired` counts what is desired from
 *             now on
 *   publish   one audit record, one change for everybody who watches the account, one job of the reconciler
 */
import type { OperationKind } from '@atoll/contract/clusters'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { findHeldScope, type Limits } from '../../accounts/index.ts'
import { type AuditEntry, type AuditSource, recordAudit } from '../../audit/index.ts'
import { cancelingPayments } from '../../billing/index.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { applyPaid } from '../events/money-events.ts'
import { saveMove } from '../instances/instance-store.ts'
import { countGeneration, enqueueReconcile, lockVisibleCluster } from '../instances/reconcile-store.ts'
import type { Held } from '../lifecycle/action-facts.ts'
import { type ClusterEvent, isRefused, type Position, transition } from '../lifecycle/cluster-state.ts'
import { insertOperation } from '../operations/operation-store.ts'
import type { ClusterRow, Desired, InstanceRow } from '../tables.ts'
import { instanceName } from '../views/instance-json.ts'
import { openTo } from '../visibility.ts'

/** The state that a command works on, read after all locks are held. */
export interface ClusterCommand {
  trx: Trx
  caller: Caller
  /** The owner's limits, whether the owner or somebody else calls. */
  limits: Limits
  cluster: ClusterRow & Held
  /** Those that are not gone, master first. */
  instances: InstanceRow[]
  master: InstanceRow
  at: Date
}

/** Fields of every request about a cluster. A request repeated with the same `requestId` gets the first answer. */
export interface OfCluster {
  clusterId: string
  requestId?: string | undefined
}

export interface CommandRequest<Answer extends object = object> {
  /** Of the call, for its request key. */
  call: string
  body: { requestId?: string | undefined }
  /** The id, or how to find it from the request. */
  clusterId: string | ((trx: Trx) => Promise<string>)
  /** Refreshes a stored answer before it is returned to a repeated request. */
  renew?: (trx: Trx, kept: Answer) => Promise<Answer>
}

/** Runs `act` with the cluster locked; refuses one that the caller may not see or that is gone. */
export async function runCommand<Answer extends object>(
  deps: ClusterDeps,
  caller: Caller,
  { call, body, clusterId: asked, renew }: CommandRequest<Answer>,
  act: (command: ClusterCommand) => Promise<Answer>,
): Promise<Answer> {
  const run = async (trx: Trx) => {
    const clusterId = typeof asked === 'string' ? asked : await asked(trx)
    const owner = await getOwner(trx, caller, clusterId)
    const limits = await deps.accounts.lockLimits(trx, owner)
    const locked = await lockVisibleCluster(trx, caller, clusterId)
    const instances = locked ? await applyPaid(deps, trx, locked) : []
    const master = instances.find(({ role }) => role === 'master')
    const cluster = locked && { ...locked, held: await findHeldScope(trx, owner, clusterId) }
    if (cluster?.status === 'canceled') return refuse('actionAfterEnd', { status: cluster.status })
    if (!cluster || !master) return refuse('notFound', { object: 'cluster' })
    const answer = await act({ trx, caller, limits, cluster, instances, master, at: deps.clock.now() })
    await publishChange(trx, { account: owner, topic: 'cluster', id: cluster.id })
    return answer
  }
  return await cancelingPayments(deps, () => once(deps, { owner: caller.userid, call, body }, run, renew))
}

/** Whose cluster it is: the account is locked before the cluster. It never changes. */
async function getOwner(trx: Trx, caller: Caller, clusterId: string): Promise<string> {
  const row = await trx
    .selectFrom('clusters')
    .select('owner')
    .where('id', '=', clusterId)
    .where((from) => openTo(caller, from.ref('clusters.owner')))
    .executeTakeFirst()
  return row?.owner ?? refuse('notFound', { object: 'cluster' })
}

/** Where `event` takes `instance`; an action that was allowed and that the status machine refuses is our own fault. */
export function allowedMove(instance: InstanceRow, event: ClusterEvent): Position {
  const to = transition(instance, event)
  if (isRefused(to)) throw new Error(`The event ${event} was allowed and ${to.status} refuses it`)
  return to
}

export interface CommandMove {
  to: Position
  kind: OperationKind
  desired?: Desired | undefined
  /** Its agent is asked to finish first. */
  drains?: boolean
  /** Default: that of the kind. */
  deadlineMs?: number
}

/** Takes `instance` to its new status, with the operation that brings it there. */
export async function moveInstance(
  deps: ClusterDeps,
  { trx, caller, at }: ClusterCommand,
  instance: InstanceRow,
  { to, kind, desired, drains = false, deadlineMs: deadline = deadlineMs(deps, kind, to.status) }: CommandMove,
): Promise<void> {
  await saveMove(trx, instance, { to, at, error: null, ...(desired && { desired }) })
  await insertOperation(trx, instance, { kind, status: to.status, at, deadlineMs: deadline, by: caller.userid, drains })
}

/** Has the reconciler bring the cluster to what is desired of it from now on; without `desired`, as before. */
export async function setDesired({ trx, cluster }: ClusterCommand, desired?: Desired): Promise<void> {
  await countGeneration(trx, cluster, desired)
  await enqueueReconcile(trx, cluster.id)
}

type ActionOf<Kind extends 'cluster' | 'instance'> = Extract<AuditEntry, { object: { kind: Kind } }>['action']
type Facts = Pick<AuditEntry, 'before' | 'after'>

/** Writes down what was done to the cluster as a whole. */
export async function auditCluster(
  { trx, caller, cluster }: ClusterCommand,
  action: ActionOf<'cluster'>,
  { before, after }: Facts,
): Promise<void> {
  const object = { kind: 'cluster', id: cluster.id, owner: cluster.owner, name: cluster.name } as const
  await recordAudit(trx, { ...sourceOf(caller), action, object, before: before ?? null, after: after ?? null })
}

/**
 * Writes down what was done to one instance; `named` is the instance whose name the record shows, itself by default.
 */
export async function auditInstance(
  { trx, caller, cluster }: ClusterCommand,
  action: ActionOf<'instance'>,
  instance: InstanceRow,
  { before, after, named = instance }: Facts & { named?: InstanceRow },
): Promise<void> {
  const object = { kind: 'instance', id: instance.id, owner: cluster.owner, name: cluster.name } as const
  const facts = { ...after, instance: instanceName(named) }
  await recordAudit(trx, { ...sourceOf(caller), action, object, before: before ?? null, after: facts })
}

/** Acts of the system on behalf of an account are audited as the system's, not as the account's. */
function sourceOf(caller: Caller): AuditSource {
  return caller.isSystem ? { actor: 'system', ip: null } : { actor: caller, ip: caller.ip }
}
