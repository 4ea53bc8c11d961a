import type { ClusterStatus, Operation } from '@atoll/contract'
import { refuse } from '../../http/refusal.ts'
import type { Caller } from '../../http/route.ts'
import { newId } from '../../platform/crypto.ts'
import type { Trx } from '../../platform/db/index.ts'
import { recordAudit } from '../audit/index.ts'
import { type ClusterDeps, defaultDeadlines } from './cluster-deps.ts'
import { isRefused, type MoveAction, move, type Position, shownStatus } from './cluster-state.ts'
import type { ClusterRow, Desired, InstanceRow } from './cluster-tables.ts'
import { wishInstall } from './provider-calls.ts'
import { enqueueReconcile, findMaster, insertOperation, lockVisibleCluster, saveMove } from './reconcile-store.ts'
import { once } from './request-keys.ts'

/** An action of a person on a cluster as a whole. */
export type AskedAction = Exclude<MoveAction, 'cancel' | 'cancelUnpaid'>

const wishes = {
  start: { kind: 'start', desired: 'running' },
  stop: { kind: 'stop', desired: 'stopped' },
  restart: { kind: 'restart', desired: 'running' },
  destroyMaster: { kind: 'destroy', desired: 'destroyed' },
  retry: { kind: 'retry', desired: 'unchanged' },
} as const satisfies Record<AskedAction, { kind: Operation['kind']; desired: Desired | 'unchanged' }>

export interface ActionRequest {
  /** Of the call, for its idempotency key. */
  call: string
  action: AskedAction
  body: { clusterId: string; instanceId?: string | undefined; requestId?: string | undefined }
}

/**
 * Writes what the owner wants and the job that makes it so, in one transaction. Refuses with `notFound` what the
 * caller may not see, and with `actionRefused` what the status machine does not accept now. An operation under way is superseded.
 */
export async function requestAction(
  deps: ClusterDeps,
  caller: Caller,
  { call, action, body }: ActionRequest,
): Promise<{ status: ClusterStatus }> {
  return await once(deps, { owner: caller.userid, call, body }, async (trx) => {
    const cluster = await lockVisibleCluster(trx, caller, body.clusterId)
    const master = cluster && (await findMaster(trx, cluster.id))
    if (!master || cluster.status === 'destroyed') return refuse('notFound', { object: 'cluster' })
    if (body.instanceId !== undefined && body.instanceId !== master.id) refuse('notFound', { object: 'instance' })
    const to = move(cluster, action)
    if (isRefused(to)) return refuse('actionRefused', { status: shownStatus(cluster.status, master.os_active), action })
    const { kind, desired } = wishes[action]
    const at = deps.clock.now()
    // Before the instance's row is written: see the order of locks in reconcile-store.ts.
    const installTask = action === 'retry' ? await renewInstall(deps, trx, cluster, master, to) : master.install_task
    const wish = { to, at, error: null, desired: desired === 'unchanged' ? cluster.desired : desired }
    if (!(await saveMove(trx, cluster, wish))) throw new Error('A locked cluster changed')
    await trx
      .updateTable('instances')
      .set({ recoveries: 0, restart_from: null, install_task: installTask })
      .where('id', '=', master.id)
      .execute()
    await insertOperation(trx, cluster, { kind, at, deadlineMs: { ...defaultDeadlines, ...deps.deadlines }[kind] })
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: `cluster.${kind}`,
      object: { kind: 'cluster', id: cluster.id, owner: cluster.owner, name: cluster.name },
      before: { status: cluster.status },
      after: { status: to.status },
    })
    await enqueueReconcile(trx, cluster.id)
    return { status: to.status }
  })
}

/** A failed install is asked for under a new task; the agent goes on at the step that failed. */
async function renewInstall(
  deps: ClusterDeps,
  trx: Trx,
  cluster: ClusterRow,
  master: InstanceRow,
  to: Position,
): Promise<string> {
  if (to.status !== 'installing' && to.status !== 'pending') return master.install_task
  const [agent] = await deps.agents.listAgents(trx, [master.id])
  if (agent?.install.state !== 'failed') return master.install_task
  const taskId = newId('op')
  const wish = { instanceId: master.id, taskId, version: cluster.version }
  return (await wishInstall(deps, trx, wish)) ? taskId : master.install_task
}
