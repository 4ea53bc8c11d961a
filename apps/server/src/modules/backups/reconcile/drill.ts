/**
 * Drills: once a month the newest snapshot is restored into an empty place, and its root compared with the backup's.
 * On a cluster that is made for it where that can be had (`drill-elsewhere.ts`), else beside the drive of the machine.
 */
import { DrillResult, taskKinds } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { enqueueReconcile } from '../records/backup-store.ts'
import { findProof, insertProof } from '../records/proof-store.ts'
import { failureReason, saidReason } from '../rules/failure-reason.ts'
import { judgeDrill } from '../rules/judge-drill.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import type { ChoreRow, SnapshotRow } from '../tables.ts'
import { insertChore } from './chores.ts'
import { grant } from './dispatch.ts'
import type { BackupFacts } from './facts.ts'
import { mailFailedDrill } from './warn.ts'

const dayMs = 24 * 3600_000
const monthMs = 30 * dayMs

type DrillSnapshot = SnapshotRow & { tree_root: string; restic_id: string; received_at: Date }

/** Has the newest snapshot restored somewhere, when that is due and nothing else is under way. */
export async function beginDrill(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, at, backup, run, restore, chore, agent, instanceId } = facts
  if (run || restore || chore || backup.prove_state !== null || backup.damaged_at !== null) return
  if (waitReason({ agent, password: backup.password, isFull: false }) || instanceId === undefined) return
  if (backup.password !== 'kept') return
  const snapshot = await findDrillable(facts)
  const dueAt = snapshot && (await nextDrillAt(facts))
  if (!snapshot || !dueAt || dueAt > at) return
  const place = agent?.backups?.mayReseal ? await placeDrill(deps, facts, snapshot) : 'none'
  if (place === 'full') return
  if (place === 'soldOut') {
    const reason = storeReason({ key: 'drillSoldOut' })
    return await insertChore(facts, [snapshot.id], { kind: 'drill', ended_at: at, reason })
  }
  if (place !== 'none') {
    await insertChore(facts, [snapshot.id], { kind: 'drill', drill_cluster_id: place.clusterId })
    return await enqueueReconcile(trx, backup.id)
  }
  // An older agent, a machine of the owner's own, or nothing is sold that would do: beside its drive.
  const { taskId, repository } = await grant(deps, facts, 'read')
  await insertChore(facts, [snapshot.id], { kind: 'drill', task_id: taskId })
  const params = { repository, backupId: backup.id, ...drilled(snapshot) }
  await deps.agents.requestTask(trx, taskKinds['backup.drill'], { taskId, instanceId, params })
}

/** Orders the cluster that it is carried out on. `full`: others have all there may be; a later reconcile asks again. */
async function placeDrill(deps: BackupDeps, { trx, backup }: BackupFacts, { size }: DrillSnapshot) {
  const { currency, hasDrills } = await deps.drillTerms(trx, backup.owner)
  return await deps.drills.order(trx, { size: size ?? 0, currency, onlyFree: !hasDrills })
}

function drilled({ restic_id: snapshotId, paths, tree_apart: apart }: DrillSnapshot) {
  return { snapshotId, paths, apart }
}

/** The task's parameters about the snapshot of `chore`, without the expected result. */
export async function drillParams({ trx, backup }: BackupFacts, chore: ChoreRow) {
  const snapshot = await trx
    .selectFrom('snapshots')
    .selectAll()
    .where('id', '=', chore.snapshots[0] ?? '')
    .$narrowType<{ tree_root: string; restic_id: string; received_at: Date }>()
    .executeTakeFirstOrThrow()
  return { backupId: backup.id, ...drilled(snapshot) }
}

/** The newest with a root; undefined: nothing can be drilled. */
async function findDrillable({ trx, backup }: BackupFacts): Promise<DrillSnapshot | undefined> {
  return await trx
    .selectFrom('snapshots')
    .selectAll()
    .where('backup_id', '=', backup.id)
    .where('state', '=', 'Completed')
    .where('forgotten_at', 'is', null)
    .where('tree_root', 'is not', null)
    .orderBy('received_at', 'desc')
    .limit(1)
    .$narrowType<{ tree_root: string; restic_id: string; received_at: Date }>()
    .executeTakeFirst()
}

/**
 * A month after the last one, a day after one that did not pass or could not be carried out, or after the first run.
 */
export async function nextDrillAt({ trx, backup }: BackupFacts): Promise<Date | undefined> {
  const last = await trx
    .selectFrom('backup_chores')
    .select(['created_at', 'reason'])
    .where('backup_id', '=', backup.id)
    .where('kind', '=', 'drill')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last) return new Date(last.created_at.getTime() + (last.reason === null ? monthMs : dayMs))
  const first = await trx
    .selectFrom('snapshots')
    .select((from) => from.fn.min('received_at').as('at'))
    .where('backup_id', '=', backup.id)
    .where('tree_root', 'is not', null)
    .executeTakeFirst()
  return first?.at ? new Date(first.at.getTime() + dayMs) : undefined
}

/** Records the result of a drill on the machine itself; a reason: it did not pass, or could not be carried out. */
export async function settleDrill(
  deps: BackupDeps,
  facts: BackupFacts,
  chore: ChoreRow,
  task: AgentTask | undefined,
  isCanceled: boolean,
): Promise<Reason | null> {
  return isCanceled ? { key: 'backupProofCanceled' } : await judge(deps, facts, chore, task, { elsewhere: false })
}

/** Compares what came back with what was backed up, and writes the proof; see `settleDrill`. */
export async function judge(
  deps: BackupDeps,
  facts: BackupFacts,
  chore: ChoreRow,
  task: AgentTask | undefined,
  { elsewhere }: { elsewhere: boolean },
): Promise<Reason | null> {
  const { trx, backup } = facts
  const result = DrillResult.safeParse(task?.state === 'done' ? task.result : undefined)
  if (!result.success) return saidReason(task?.reason ?? 'The machine was lost.')
  const said = result.data
  const isDone = said.outcome === 'done'
  // A failure that prevented the drill proves nothing about the backup.
  if (!isDone && !['damaged', 'no_snapshot', 'failed'].includes(said.failure)) {
    return failureReason(said.failure, said.text)
  }
  const snapshot = await trx
    .selectFrom('snapshots')
    .select(['id', 'tree_root', 'tree_files', 'tree_apart'])
    .where('id', '=', chore.snapshots[0] ?? '')
    .executeTakeFirstOrThrow()
  const backed = { root: snapshot.tree_root ?? '', files: snapshot.tree_files ?? 0, apart: snapshot.tree_apart.length }
  const problem = isDone ? judgeDrill(backed, said) : undefined
  const reason = isDone ? (problem ? { key: problem } : null) : failureReason(said.failure, said.text)
  const { drill: last } = await findProof(trx, backup.id)
  await insertProof(trx, backup, {
    level: 'drilled',
    passed: reason === null,
    snapshot_id: snapshot.id,
    at: chore.created_at,
    files: backed.files,
    bytes: isDone ? said.bytes : null,
    equal: reason === null ? backed.files : null,
    elsewhere,
    reason: reason && storeReason(reason),
  })
  // No mail if the next day's drill fails for the same reason.
  if (reason && last?.reason !== storeReason(reason)) await mailFailedDrill(deps, facts, reason)
  return reason
}
