/** Changing a plan, pausing it, deleting it and taking that back. */
import {
  type BackupSchedule,
  type backupUpdate,
  defaultKeepOf,
  deleteGraceMs,
  type KeepRules,
} from '@atoll/contract/backups'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { listClusterBackups } from '../records/backup-store.ts'
import { noteHeld } from '../records/note-held.ts'
import { undeletableUntil } from '../records/undeletable.ts'
import { nextRunOf } from '../rules/next-run.ts'
import type { BackupRow } from '../tables.ts'
import { auditBackup, type OfBackup, requireLiving, runBackupCommand } from './backup-command.ts'
import { requireFreeName, requireFreeSlot, savePlan, saveZone } from './backup-create.ts'
import { planFacts } from './backup-facts.ts'

type None = Record<string, never>

/** Omitted fields keep their values. A time zone is changed for all backups of the cluster. */
export async function updateBackup(
  deps: BackupDeps,
  caller: Caller,
  body: CallBody<typeof backupUpdate>,
): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupUpdate', body }, async (command) => {
    const { trx, backup, at } = command
    requireLiving(backup)
    const others = await listOthers(trx, backup)
    if (body.name !== undefined) requireFreeName(others, body.name)
    if (body.schedule) requireFreeSlot(others, body.schedule)
    const changed = {
      ...backup,
      ...(body.name !== undefined && { name: body.name }),
      ...(body.paths && { paths: body.paths }),
      ...(body.schedule && { schedule: body.schedule }),
      ...(body.timeZone && { time_zone: body.timeZone }),
      keep: body.keep ?? (body.schedule ? followSchedule(backup, body.schedule) : backup.keep),
    }
    await savePlan(trx, changed, at)
    await saveZone(trx, others, changed.time_zone, at)
    await auditBackup({ ...command, backup: changed }, 'backup.update', {
      before: planFacts(backup),
      after: planFacts(changed),
    })
    return {}
  })
}

/** Stops or resumes the schedule; a run that is under way goes on. Slots that passed meanwhile are not made up for. */
export async function pauseBackup(
  deps: BackupDeps,
  caller: Caller,
  body: OfBackup & { paused: boolean },
): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupPause', body }, async (command) => {
    const { trx, backup, at } = command
    requireLiving(backup)
    const state = body.paused ? 'paused' : 'active'
    if (state === backup.state) return {}
    if (state === 'active') requireFreeSlot(await listOthers(trx, backup), backup.schedule)
    const next = state === 'active' ? nextRunOf(backup, at, at).at : null
    const change = { state, next_at: next, slots_until: at } as const
    await trx.updateTable('backups').set(change).where('id', '=', backup.id).execute()
    await auditBackup(command, body.paused ? 'backup.pause' : 'backup.resume')
    return {}
  })
}

/**
 * From now on the stored files are trash and charged to nobody; until `deletedAt` the backup can be taken back whole.
 */
export async function deleteBackup(deps: BackupDeps, caller: Caller, body: OfBackup): Promise<{ deletedAt: string }> {
  return await runBackupCommand(deps, caller, { call: 'backupDelete', body }, async (command) => {
    const { trx, backup, at } = command
    if (backup.state === 'deleting') {
      return { deletedAt: (await undeletableUntil(deps, trx, backup)).toISOString() }
    }
    const deletedAt = new Date(at.getTime() + deleteGraceMs)
    await askToEnd(trx, backup)
    await trx
      .updateTable('backups')
      .set({ state: 'deleting', next_at: null, deleted_at: deletedAt, new_box: null, old_key: null })
      .where('id', '=', backup.id)
      .execute()
    const { trashed } = await deps.vault.trash(trx, { repositoryId: backup.repo_id, by: backup.id })
    await trx.updateTable('backups').set({ trashed_files: trashed }).where('id', '=', backup.id).execute()
    await noteHeld(deps, trx, backup)
    await auditBackup(command, 'backup.delete')
    return { deletedAt: (await undeletableUntil(deps, trx, { ...backup, deleted_at: deletedAt })).toISOString() }
  })
}

/** Ends all backups of an account that ends: none can be taken back, and their bytes go at once. Safe to repeat. */
export async function endBackups({ vault }: Pick<BackupDeps, 'vault'>, trx: Trx, owner: string): Promise<void> {
  const living = await trx
    .selectFrom('backups')
    .selectAll()
    .where('owner', '=', owner)
    .where('state', '<>', 'deleted')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const backup of living) await askToEnd(trx, backup)
  await trx
    .updateTable('backups')
    .set({ state: 'deleted', box: null, new_box: null, old_key: null, password: 'missing', next_at: null })
    .set(({ ref, fn }) => ({ deleted_at: fn.coalesce(ref('deleted_at'), fn<Date>('now')) }))
    .where('owner', '=', owner)
    .where('state', '<>', 'deleted')
    .execute()
  await vault.removeAll(trx, { owner })
}

export async function undeleteBackup(deps: BackupDeps, caller: Caller, body: OfBackup): Promise<None> {
  return await runBackupCommand(deps, caller, { call: 'backupUndelete', body }, async (command) => {
    const { trx, backup } = command
    if (backup.state !== 'deleting') refuse('backupNotDeleting')
    const others = await listOthers(trx, backup)
    requireFreeName(others, backup.name)
    const { restored } = await deps.vault.restore(trx, { repositoryId: backup.repo_id, by: backup.id })
    // All that the deletion took, or a snapshot would be there without what it needs.
    if (restored < (backup.trashed_files ?? 0)) refuse('backupBytesGone')
    const change = { state: 'paused', deleted_at: null, trashed_files: null } as const
    await trx.updateTable('backups').set(change).where('id', '=', backup.id).execute()
    await noteHeld(deps, trx, backup)
    await auditBackup(command, 'backup.undelete')
    return {}
  })
}

/** Rules that nobody chose follow the schedule, but never keep fewer than before. */
function followSchedule({ schedule, keep }: BackupRow, next: BackupSchedule): KeepRules {
  const before = defaultKeepOf(schedule)
  const after = defaultKeepOf(next)
  const names = Object.keys(after) as (keyof KeepRules)[] // an object of just these
  if (names.some((name) => keep[name] !== before[name])) return keep
  return Object.fromEntries(names.map((name) => [name, Math.max(keep[name], after[name])])) as KeepRules // as above
}

async function listOthers(trx: Trx, { id, cluster_id }: BackupRow): Promise<BackupRow[]> {
  return (await listClusterBackups(trx, cluster_id)).filter((other) => other.id !== id)
}

/** Of all that is under way. */
export async function askToEnd(trx: Trx, { id }: BackupRow): Promise<void> {
  for (const table of ['snapshots', 'restores'] as const) {
    await trx
      .updateTable(table)
      .set({ cancel_asked: true })
      .where('backup_id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
  }
}
