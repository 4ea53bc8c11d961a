/** Reads the facts of a backup, under the lock of its row. Writes nothing. */
import { RunResult } from '@atoll/contract/agents'
import { findHold, findResumedAt } from '../../../platform/careful/index.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { findHeldScope } from '../../accounts/index.ts'
import type { AgentTask } from '../../agents/index.ts'
import { findNamedFile } from '../../vault/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { countSentRuns, findOpenWork, listClusterBackups, type OpenWork } from '../records/backup-store.ts'
import { listClusterRestores } from '../records/cluster-restore-store.ts'
import { listUnnamed } from '../records/found-snapshots.ts'
import { findLineage } from '../records/lineage-store.ts'
import { type Blamed, failuresOfFiles } from '../rules/explain-failure.ts'
import { guardedRuns } from '../rules/guard.ts'
import { kinOf } from '../rules/kin.ts'
import { storeReason } from '../rules/reason-text.ts'
import type { BackupRow, RestoreRow, SnapshotRow } from '../tables.ts'
import { isElsewhere } from './drill-elsewhere.ts'
import {
  type BackupFacts,
  type BackupMachine,
  type ClusterRestore,
  isQuiet,
  isSilent,
  mayMaintain,
  taskOf,
} from './facts.ts'
import { loadProofFacts } from './load-proof-facts.ts'
import { loadUpkeep } from './load-upkeep.ts'

export async function loadFacts(deps: BackupDeps, trx: Trx, backup: BackupRow): Promise<BackupFacts> {
  const at = deps.clock.now()
  const isLiving = backup.state !== 'deleting'
  const machine = await findMachine(deps, trx, backup)
  const work = await findOpenWork(trx, backup.id)
  const tasks = await loadTasks(deps, trx, work)
  const run = work.run && taskOf({ tasks }, work.run)
  const hasRunEnded = run?.state === 'done'
  const readsFiles = hasRunEnded || (isLiving && !work.run)
  const files = readsFiles ? await deps.listSnapshotFiles(trx, backup.repo_id) : []
  const clusterRestores = await loadClusterRestores(deps, trx, backup)
  const isHeld = (await findHold(trx, { waits: 'deadline', source: 'vault', ...dueOf(backup) })) !== undefined
  const isMaintained = isLiving && mayMaintain({ ...work, backup, isHeld, clusterRestores })
  const isSent = work.run?.state !== 'Pending'
  return {
    ...work,
    ...machine,
    at,
    backup,
    product: deps.config.product,
    newTaskId: newId('at'),
    tasks,
    blamed: await loadBlamed(deps, trx, backup, [...tasks.values()]),
    ...(await loadRestore(deps, trx, { backup, machine, restore: work.restore })),
    isFull: !isSent && (await countSentRuns(trx)) >= deps.config.vaultRuns,
    isSuspended: !isSent && (await findHeldScope(trx, backup.owner, backup.cluster_id)) === 'servers',
    files,
    unnamed: isLiving && !work.run ? await listUnnamed(trx, backup, files) : [],
    earlierRuns: hasRunEnded && backup.alarm === null ? await listEarlierRuns(trx, backup, work.run) : [],
    activated: isLiving ? await listActivated(deps, trx, backup) : [],
    clusterRestores,
    isHeld,
    resumedAt: isLiving ? undefined : await findResumedAt(trx),
    ...(await loadKeys(deps, trx, backup, work)),
    upkeep: isMaintained ? await loadUpkeep(deps, trx, backup) : undefined,
    ...(await loadDrill(deps, trx, work)),
    ...(await loadProofFacts(deps, trx, { backup, at, isQuiet: isQuiet(work) })),
  }
}

/** Of a deletion, the hold about what fell due then. */
function dueOf({ state, deleted_at }: BackupRow): { dueAt?: Date } {
  return state === 'deleting' && deleted_at ? { dueAt: deleted_at } : {}
}

/** The master of `clusterId`, the backup's own cluster by default. */
async function findMachine(
  deps: BackupDeps,
  trx: Trx,
  backup: BackupRow,
  clusterId = backup.cluster_id,
): Promise<BackupMachine> {
  const masters = await deps.listOwnMasters(trx, backup.owner)
  const instanceId = masters.find((master) => master.clusterId === clusterId)?.instanceId
  const [agent] = instanceId === undefined ? [] : await deps.agents.listAgents(trx, [instanceId])
  return { instanceId, agent, isLost: isSilent(agent, deps.clock.now(), backup.created_at) }
}

async function loadTasks(deps: BackupDeps, trx: Trx, work: OpenWork): Promise<Map<string, AgentTask>> {
  const { run, restore, chore } = work
  const ids = [run?.task_id, restore?.task_id, chore?.task_id, chore?.reseal_task_id].flatMap((id) => id ?? [])
  return new Map((await deps.agents.listTasks(trx, ids)).map((task) => [task.id, task]))
}

async function loadBlamed(
  deps: BackupDeps,
  trx: Trx,
  { repo_id }: BackupRow,
  tasks: readonly AgentTask[],
): Promise<Map<string, Blamed>> {
  const blamed = new Map<string, Blamed>()
  for (const task of tasks) {
    // Results of all kinds have the same shape where they failed.
    const failed = RunResult.safeParse(task.result).data
    if (failed?.outcome !== 'failed') continue
    const { failure, text } = failed
    const refused = failure === 'quota' ? await deps.vault.findRefused(trx, task.id) : undefined
    const file = failuresOfFiles.has(failure) ? await findNamedFile(trx, repo_id, text) : undefined
    blamed.set(task.id, { refused, file })
  }
  return blamed
}

async function loadRestore(
  deps: BackupDeps,
  trx: Trx,
  { backup, machine, restore }: { backup: BackupRow; machine: BackupMachine; restore: RestoreRow | undefined },
): Promise<Pick<BackupFacts, 'reader' | 'restored' | 'safetyRun'>> {
  const clusterId = restore?.reader_cluster_id ?? null
  const reader = clusterId === null ? machine : await findMachine(deps, trx, backup, clusterId)
  if (restore?.state !== 'Pending') return { reader, restored: undefined, safetyRun: undefined }
  const restored = await findSnapshot(trx, restore.snapshot_id)
  const begun = restore.after_snapshot_id === null ? undefined : await findSnapshot(trx, restore.after_snapshot_id)
  const isGivenUp = begun?.reason === storeReason({ key: 'backupGivenUp' })
  return { reader, restored, safetyRun: isGivenUp ? undefined : begun }
}

async function findSnapshot(trx: Trx, id: string): Promise<SnapshotRow | undefined> {
  return await trx.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirst()
}

async function listEarlierRuns(trx: Trx, backup: BackupRow, run: SnapshotRow | undefined) {
  const rows = await trx
    .selectFrom('snapshots')
    .select(['size', 'files', 'new_bytes'])
    .where('backup_id', '=', backup.id)
    .where('state', '=', 'Completed')
    // A snapshot that was found in the vault has no figures.
    .where('size', 'is not', null)
    .where('id', '<>', run?.id ?? '')
    .$if(backup.guard_since !== null, (query) => query.where('received_at', '>=', backup.guard_since))
    .orderBy('received_at', 'desc')
    .limit(guardedRuns)
    .execute()
  return rows.map(({ size, files, new_bytes }) => ({ bytes: size ?? 0, files: files ?? 0, newBytes: new_bytes ?? 0 }))
}

async function listActivated(deps: BackupDeps, trx: Trx, backup: BackupRow): Promise<BackupFacts['activated']> {
  const restores = await trx
    .selectFrom('restores')
    .select(['id', 'target_cluster_id'])
    .where('backup_id', '=', backup.id)
    .where('way', '=', 'newCluster')
    .where('state', '=', 'Completed')
    .where('activated_at', 'is', null)
    .orderBy('ended_at')
    .execute()
  const activated = []
  for (const { id: restoreId, target_cluster_id: clusterId } of restores) {
    if (clusterId === null || !(await deps.findActiveCluster(trx, [clusterId]))) continue
    activated.push({ restoreId, clusterId, others: await listClusterBackups(trx, clusterId) })
  }
  return activated
}

async function loadClusterRestores(deps: BackupDeps, trx: Trx, backup: BackupRow): Promise<ClusterRestore[]> {
  const loaded = []
  for (const row of await listClusterRestores(trx, backup.id)) {
    const machine = await findMachine(deps, trx, backup, row.target_cluster_id)
    const [task] = await deps.agents.listTasks(trx, row.task_id === null ? [] : [row.task_id])
    const isSendable = row.state === 'Pending' && !row.needs_password && !row.cancel_asked
    const kin = isSendable ? kinOf(await findLineage(trx, backup), row.target_cluster_id) : []
    const hasActiveKin = isSendable && (await deps.findActiveCluster(trx, kin)) !== undefined
    const snapshot = isSendable ? await findSnapshot(trx, row.snapshot_id) : undefined
    loaded.push({ row, machine, task, snapshot, hasActiveKin })
  }
  return loaded
}

/** For a change of the password that is wanted, or that its machine has reported. */
async function loadKeys(
  { vault }: BackupDeps,
  trx: Trx,
  { repo_id: repositoryId, new_box, old_key }: BackupRow,
  { chore }: OpenWork,
): Promise<Pick<BackupFacts, 'oldestKey' | 'nextKey'>> {
  if (new_box === null) return { oldestKey: undefined, nextKey: undefined }
  return {
    oldestKey: old_key === null ? await vault.findKey(trx, { repositoryId }) : undefined,
    nextKey:
      chore?.kind === 'password' && old_key !== null
        ? await vault.findKey(trx, { repositoryId, after: old_key })
        : undefined,
  }
}

async function loadDrill(
  deps: BackupDeps,
  trx: Trx,
  { chore }: OpenWork,
): Promise<Pick<BackupFacts, 'drilledSnapshot' | 'drillMachine' | 'drillAgent'>> {
  const none = { drilledSnapshot: undefined, drillMachine: undefined, drillAgent: undefined }
  if (chore?.kind !== 'drill') return none
  const drilledSnapshot = await findSnapshot(trx, chore.snapshots[0] ?? '')
  if (!isElsewhere(chore)) return { ...none, drilledSnapshot }
  const drillMachine = await deps.drills.find(trx, chore.drill_cluster_id)
  const [drillAgent] = drillMachine ? await deps.agents.listAgents(trx, [drillMachine.instanceId]) : []
  return { drilledSnapshot, drillMachine, drillAgent }
}
