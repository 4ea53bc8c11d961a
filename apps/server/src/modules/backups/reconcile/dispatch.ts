/** Gives what waits to the machine, as tasks with a right to the repository for as long as they last. */
import { taskKinds } from '@atoll/contract/agents'
import type { Reason, ReasonKey } from '@atoll/contract/api'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { findHeldScope } from '../../accounts/index.ts'
import type { NewGrant } from '../../vault/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { countSentRuns, insertRun } from '../records/backup-store.ts'
import { joinPaths } from '../rules/join-paths.ts'
import { promisedPin } from '../rules/pin.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import type { RestoreRow, SnapshotRow } from '../tables.ts'
import { insertChore } from './chores.ts'
import { type BackupFacts, findMachine } from './facts.ts'
import { move } from './settle.ts'

/** How long a task has its right to the repository: renewed while it reports progress, and only then. ms */
export const grantMs = { write: 24 * 3600_000, read: 24 * 3600_000, prune: 3600_000 } as const

/** A run that waits is sent, or says what it waits for. */
export async function dispatchRun(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, run, restore, backup, agent, instanceId } = facts
  if (run?.state !== 'Pending') return
  const isFull = (await countSentRuns(trx)) >= deps.config.vaultRuns
  const isHeld = (await findHeldScope(trx, backup.owner, backup.cluster_id)) === 'servers'
  // After a repair the machine may have none: the one that came with a restore serves the run before it, too.
  const isOfRestore = backup.password !== 'kept' && restore?.after_snapshot_id === run.id
  const box = backup.box ?? (isOfRestore ? restore.box : null)
  const waits = waitReason({ agent, password: box === null ? backup.password : 'given', isFull, isHeld })
  if (waits || instanceId === undefined) return await noteWait(facts, 'snapshots', run, waits ?? 'backupWaitsMachine')
  const { taskId, repository } = await grant(deps, facts, 'write')
  await move(facts, 'snapshots', run, 'send', { task_id: taskId })
  await trx
    .updateTable('snapshots')
    .set({ kind: backup.has_repository ? 'Incremental' : 'Fully' })
    .where('id', '=', run.id)
    .execute()
  const { id: backupId, has_repository: hasRepository } = backup
  const params = { repository, backupId, paths: run.paths, first: !hasRepository, ...(box !== null && { box }) }
  await deps.agents.requestTask(trx, taskKinds['backup.run'], { taskId, instanceId, params })
}

/**
 * Begins the snapshot that goes before replaced files. It is always a new one: a run that was under way when they were
 * asked for has read some of the files by then, and is waited for.
 */
export async function beginSafetyRun(_: BackupDeps, { trx, backup, run, restore, at }: BackupFacts): Promise<void> {
  if (restore?.state !== 'Pending' || restore.way !== 'replace' || run) return
  if (await findSafetyRun(trx, restore)) return
  const { paths } = await getSnapshot({ trx }, restore.snapshot_id)
  const id = await insertRun(trx, { ...backup, paths: joinPaths(backup.paths, paths) }, { scheduledFor: null, at })
  if (id === undefined) throw new Error('A run without a slot was refused as if its slot were taken')
  // The way back from what is replaced: no rule removes it before its time.
  const none = { pinned_at: null, pinned_until: null }
  await trx.updateTable('snapshots').set(promisedPin(none, at)).where('id', '=', id).execute()
  await trx.updateTable('restores').set({ after_snapshot_id: id }).where('id', '=', restore.id).execute()
}

/** Undefined while none was begun, and where it never was: given up when the machine was away or a slot came. */
async function findSafetyRun(trx: Trx, { after_snapshot_id: id }: RestoreRow): Promise<SnapshotRow | undefined> {
  const run = id === null ? undefined : await getSnapshot({ trx }, id)
  return run?.reason === storeReason({ key: 'backupGivenUp' }) ? undefined : run
}

/** A restore that waits is sent; one that replaces files after the run that was made for it has ended. */
export async function dispatchRestore(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, restore, backup } = facts
  if (restore?.state !== 'Pending') return
  const reader = restore.reader_cluster_id
  const { agent, instanceId } = reader === null ? facts : await findMachine(deps, trx, backup, reader)
  if (reader !== null && instanceId === undefined) {
    return await move(facts, 'restores', restore, 'fail', { reason: storeReason({ key: 'backupClusterLost' }) })
  }
  const before = await findSafetyRun(trx, restore)
  if (restore.way === 'replace' && (!before || before.ended_at === null))
    return await noteWait(facts, 'restores', restore, before ? 'backupWaitsRun' : 'backupWaitsSlot')
  // Where none could be taken, the machine keeps all that it replaces; only its owner's own end of it ends both.
  const wrong = storeReason({ key: 'backupPasswordWrong' })
  if (before?.state === 'Canceled' || before?.reason === wrong) {
    const isWrong = before.reason === wrong && restore.box !== null
    await trx.updateTable('restores').set({ needs_password: isWrong }).where('id', '=', restore.id).execute()
    const reason = isWrong ? wrong : storeReason({ key: 'backupRunMissing' })
    return await move(facts, 'restores', restore, 'fail', { reason })
  }
  // A reader that was looked at a snapshot with keeps its password. The backup's box is for its own machine.
  const box = restore.box ?? (reader === null ? backup.box : null)
  const password = restore.box ? 'given' : reader === null ? backup.password : 'kept'
  const waits = waitReason({ agent, password, isFull: false })
  if (waits || instanceId === undefined) {
    return await noteWait(facts, 'restores', restore, waits ?? 'backupWaitsMachine')
  }
  const snapshot = await getSnapshot(facts, restore.snapshot_id)
  const { taskId, repository } = await grant(deps, facts, 'read')
  await move(facts, 'restores', restore, 'send', { task_id: taskId })
  const params = {
    repository,
    backupId: backup.id,
    snapshotId: snapshot.restic_id ?? '',
    ...(box !== null && { box }),
    ...(snapshot.size !== null && { bytes: snapshot.size }),
    ...(restore.choice !== null && { choice: restore.choice }),
    target:
      restore.way === 'newFolder' || restore.way === 'beside'
        ? { way: restore.way }
        : { way: 'replace' as const, paths: snapshot.paths, safetyId: before?.forgotten_at ? null : before?.restic_id },
  }
  await deps.agents.requestTask(trx, taskKinds['backup.restore'], { taskId, instanceId, params })
}

/** Prunes, where the machine can at once, since nobody waits for it. */
export async function dispatchPrune(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, backup, agent, instanceId } = facts
  const isReady = !waitReason({ agent, password: backup.password, isFull: false })
  if (!isReady || instanceId === undefined || backup.password !== 'kept') return
  const { taskId, repository } = await grant(deps, facts, 'prune')
  await insertChore(facts, [], { kind: 'prune', task_id: taskId })
  const maxMoved = await deps.vault.pruneRoom(trx, backup.owner)
  const params = { repository, backupId: backup.id, ...(maxMoved !== undefined && { maxMoved }) }
  await deps.agents.requestTask(trx, taskKinds['backup.prune'], { taskId, instanceId, params })
}

export async function grant(
  { vault }: BackupDeps,
  { trx, at, backup }: Pick<BackupFacts, 'trx' | 'at' | 'backup'>,
  right: 'read' | 'write' | 'prune',
  deletes: NewGrant['deletes'] = {},
) {
  const taskId = newId('at')
  const until = new Date(at.getTime() + grantMs[right])
  const asked = { repositoryId: backup.repo_id, right, taskId, until, deletes }
  return { taskId, repository: await vault.grant(trx, asked) }
}

export async function getSnapshot({ trx }: Pick<BackupFacts, 'trx'>, id: string): Promise<SnapshotRow> {
  return await trx.selectFrom('snapshots').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function noteWait(
  { trx }: Pick<BackupFacts, 'trx'>,
  table: 'snapshots' | 'restores',
  row: SnapshotRow | RestoreRow,
  key: ReasonKey,
  params: Reason['params'] = {},
): Promise<void> {
  const reason = storeReason({ key, ...(Object.keys(params).length > 0 && { params }) })
  if (row.reason !== reason) await trx.updateTable(table).set({ reason }).where('id', '=', row.id).execute()
}
