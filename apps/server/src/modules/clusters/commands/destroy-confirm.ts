/**
 * Destroying costs a yes: what was shown of its refund has to hold, or it waits to be confirmed, and serves on. Then it
 * is destroyed after all, kept by its owner, or kept by the reconciler after a day (decide/removal.ts).
 */
import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Caller } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { saveMove } from '../instances/instance-store.ts'
import { isTransitioning } from '../lifecycle/cluster-state.ts'
import { readReason } from '../lifecycle/stored-reason.ts'
import type { InstanceRow } from '../tables.ts'
import {
  allowedMove,
  type ClusterCommand,
  moveInstance,
  type OfCluster,
  runCommand,
  setDesired,
} from './cluster-command.ts'
import { auditSubject, endRunning, getSubject, refuseActionOn } from './command-subject.ts'

/** How a person asks for a destruction. */
export interface Yes {
  /** Default: yes. */
  confirm?: boolean | undefined
  /** Token of the refund estimate that was shown. */
  estimateToken?: string | undefined
}

/**
 * Refunds the unused part of `subject`, for a master of its whole cluster, in the transaction that destroys it. False
 * if the destruction now waits to be confirmed; then nothing else is to be done.
 */
export async function endOrAsk(
  deps: ClusterDeps,
  command: ClusterCommand,
  subject: InstanceRow,
  { confirm = true, estimateToken }: Yes,
): Promise<boolean> {
  if (confirm && (await endPaid(deps, command, subject, estimateToken))) return true
  const { trx, at, cluster } = command
  // It would run on meanwhile, which a suspension is to end.
  if (cluster.cluster_type === 'Cloud' && cluster.held === 'servers') refuse('destroyHeld')
  // It waits to be confirmed already.
  if (subject.status === 'destroy_to_be_confirmed') return false
  await endRunning(command, subject, { key: 'superseded', params: { kind: 'destroy' } })
  const to = allowedMove(subject, 'askDestroy')
  await saveMove(trx, subject, { to, at, error: readReason(subject.error), missing: subject.missing })
  const facts = { before: { status: subject.status }, after: { status: to.status } }
  await auditSubject(command, subject, 'askDestroy', facts)
  await setDesired(command)
  return false
}

/** Ends what was sold of `subject`, of a master of its whole cluster; false if the shown figures no longer hold. */
export async function endPaid(
  { billing }: ClusterDeps,
  { trx, cluster, instances, master }: ClusterCommand,
  subject: InstanceRow,
  estimateToken?: string,
): Promise<boolean> {
  const isWhole = subject === master
  const ending = isWhole ? instances : [subject]
  return await billing.endInstances(trx, {
    userid: cluster.owner,
    clusterId: cluster.id,
    estimateToken,
    instanceId: isWhole ? null : subject.id,
    instances: ending.map(({ id, has_run }) => ({ instanceId: id, hasRun: has_run })),
  })
}

/** Instances that run on while their destruction waits to be confirmed. */
export async function listAskedRunning(db: Db, clusterId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('instances')
    .select(['id', 'resume_stack'])
    .where('cluster_id', '=', clusterId)
    .where('status', '=', 'destroy_to_be_confirmed')
    .execute()
  const running: ReadonlySet<ClusterStatus | undefined> = new Set(['running', 'starting', 'restarting'])
  return rows.filter(({ resume_stack }) => running.has(resume_stack.at(-1))).map(({ id }) => id)
}

/** Takes a request to destroy back: the instance goes on as it was. */
export async function keepInstance(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { instanceId?: string | undefined },
): Promise<{ status: ClusterStatus }> {
  const request = { call: 'destroyKeep', body, clusterId: body.clusterId }
  return await runCommand(deps, caller, request, async (command) => {
    const { trx, at } = command
    const kept = getSubject(command, body.instanceId)
    refuseActionOn(deps, command, kept, { cluster: 'keep', instance: 'keep' })
    const to = allowedMove(kept, 'keep')
    if (isTransitioning(to.status)) await moveInstance(deps, command, kept, { to, kind: 'recover' })
    else await saveMove(trx, kept, { to, at, error: readReason(kept.error), missing: kept.missing })
    const facts = { before: { status: kept.status }, after: { status: to.status } }
    await auditSubject(command, kept, 'keep', facts)
    await setDesired(command)
    return { status: to.status }
  })
}
