/** Writes the changes that were decided, in their order, in the transaction that holds the lock of the backup's row. */
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { insertRun } from '../records/backup-store.ts'
import { insertFound } from '../records/found-snapshots.ts'
import { forgetSnapshots } from '../records/kept-snapshots.ts'
import { noteHeld } from '../records/note-held.ts'
import { insertProof } from '../records/proof-store.ts'
import { promisedPin } from '../rules/pin.ts'
import { storeReason } from '../rules/reason-text.ts'
import type { BackupRow } from '../tables.ts'
import type { Change, NewChore, TaskChange } from './changes.ts'
import { notifyOwner } from './notify-owner.ts'

/** How long a task has its right to the repository: renewed while it reports progress, and only then. ms */
export const grantMs = { write: 24 * 3600_000, read: 24 * 3600_000, prune: 3600_000 } as const

export interface Place {
  trx: Trx
  at: Date
  backup: BackupRow
}

/** False: a cluster for a drill cannot be had yet, and nothing was changed. */
export async function applyChanges(deps: BackupDeps, place: Place, changes: readonly Change[]): Promise<boolean> {
  for (const change of changes) if (!(await applyChange(deps, place, change))) return false
  return true
}

async function applyChange(deps: BackupDeps, place: Place, change: Change): Promise<boolean> {
  if (change.kind === 'orderDrill') return await orderDrill(deps, place, change)
  const { trx, backup } = place
  switch (change.kind) {
    case 'saveBackup':
    case 'saveRun':
    case 'saveRestore':
    case 'saveChore':
      await saveRow(place, change)
      break
    case 'insertRun':
      await insertRun(trx, backup, { scheduledFor: change.scheduledFor, at: place.at })
      break
    case 'insertSafetyRun':
      await insertSafetyRun(place, change)
      break
    case 'insertChore':
      await insertChore(place, change.snapshotIds, change.chore)
      break
    case 'insertProof':
      await insertProof(trx, backup, change.proof)
      break
    case 'insertFound':
      await insertFound(trx, backup, change.files, place.at)
      break
    case 'requestTask':
      await requestTask(deps, place, change)
      break
    case 'endTask':
      await deps.agents.cancelTask(trx, change.taskId)
      await deps.vault.endGrants(trx, { taskId: change.taskId })
      break
    case 'cancelTask':
      await deps.agents.cancelTask(trx, change.taskId)
      break
    case 'notify':
      await notifyOwner(deps, place, change.notice)
      break
    case 'audit':
      await recordSystemAct(place, change.action, backup.name, change.after)
      break
    case 'meter':
      await noteHeld(deps, trx, backup)
      break
    case 'forget':
      await forgetSnapshots(deps, trx, backup, { by: 'rules', rows: change.rows })
      break
    case 'moveRepository':
      await moveRepository(deps, place, change)
      break
    case 'wakeCluster':
      await deps.wakeCluster(trx, change.clusterId)
      break
    case 'scrub':
      await deps.vault.scrub(trx, backup.repo_id)
      break
    case 'destroyDrill':
      await deps.drills.destroy(trx, change.clusterId)
      break
  }
  return true
}

type Of<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

async function saveRow(
  { trx, backup }: Place,
  change: Of<'saveBackup' | 'saveRun' | 'saveRestore' | 'saveChore'>,
): Promise<void> {
  if (change.kind === 'saveBackup') {
    await trx.updateTable('backups').set(change.set).where('id', '=', backup.id).execute()
  } else if (change.kind === 'saveRun') {
    await trx.updateTable('snapshots').set(change.set).where('id', '=', change.id).execute()
  } else if (change.kind === 'saveRestore') {
    await trx.updateTable('restores').set(change.set).where('id', '=', change.id).execute()
  } else await trx.updateTable('backup_chores').set(change.set).where('id', '=', change.id).execute()
}

async function insertSafetyRun({ trx, backup, at }: Place, { restoreId, paths }: Of<'insertSafetyRun'>): Promise<void> {
  const id = await insertRun(trx, { ...backup, paths }, { scheduledFor: null, at })
  if (id === undefined) throw new Error('A run without a slot was refused as if its slot were taken')
  // The way back from what is replaced: no rule removes it before its time.
  const none = { pinned_at: null, pinned_until: null }
  await trx.updateTable('snapshots').set(promisedPin(none, at)).where('id', '=', id).execute()
  await trx.updateTable('restores').set({ after_snapshot_id: id }).where('id', '=', restoreId).execute()
}

/** `snapshotIds`: those that it is about. */
async function insertChore({ trx, at, backup }: Place, snapshotIds: readonly string[], chore: NewChore): Promise<void> {
  const row = { id: newId('bc'), backup_id: backup.id, owner: backup.owner, created_at: at, ...chore }
  await trx
    .insertInto('backup_chores')
    .values({ ...row, snapshots: JSON.stringify(snapshotIds) })
    .execute()
}

async function requestTask(
  { agents, vault }: BackupDeps,
  { trx, at, backup }: Place,
  { task, taskId, instanceId, right, deletes = {}, params }: TaskChange,
): Promise<void> {
  if (right === null) return void (await agents.requestTask(trx, task, { taskId, instanceId, params }))
  const until = new Date(at.getTime() + grantMs[right])
  const repository = await vault.grant(trx, { repositoryId: backup.repo_id, right, taskId, until, deletes })
  await agents.requestTask(trx, task, { taskId, instanceId, params: { ...params, repository } })
}

/** Orders the cluster of a drill. False: others have all there may be; a later reconcile asks again. */
async function orderDrill(deps: BackupDeps, place: Place, { snapshot, beside }: Of<'orderDrill'>): Promise<boolean> {
  const { trx, at, backup } = place
  const { currency, hasDrills } = await deps.drillTerms(trx, backup.owner)
  const found = await deps.drills.order(trx, { size: snapshot.size ?? 0, currency, onlyFree: !hasDrills })
  if (found === 'full') return false
  // Nothing is sold that would do, or the machine is the owner's own: beside its drive.
  if (found === 'none') return await applyChanges(deps, place, beside)
  if (found === 'soldOut') {
    const reason = storeReason({ key: 'drillSoldOut' })
    await insertChore(place, [snapshot.id], { kind: 'drill', ended_at: at, reason })
  } else await insertChore(place, [snapshot.id], { kind: 'drill', drill_cluster_id: found.clusterId })
  return true
}

async function moveRepository(
  deps: BackupDeps,
  place: Place,
  { clusterId, name }: Of<'moveRepository'>,
): Promise<void> {
  const { trx, backup } = place
  await deps.moveRepository(trx, { repositoryId: backup.repo_id, clusterId })
  await noteHeld(deps, trx, { ...backup, cluster_id: clusterId })
  const [to] = await deps.listClusterNames(trx, [clusterId])
  await recordSystemAct(place, 'backup.move', name, { cluster: to?.clusterName ?? clusterId })
}

async function recordSystemAct(
  { trx, backup: { id, owner } }: Place,
  action: 'backup.damage' | 'backup.alarm' | 'backup.move',
  name: string,
  after: Of<'audit'>['after'],
): Promise<void> {
  const object = { kind: 'backup', id, owner, name } as const
  await recordAudit(trx, { actor: 'system', ip: null, action, object, after })
}
