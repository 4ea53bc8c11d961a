/** What a backup does by itself: begins runs at its slots, forgets what is not kept, prunes, and ends when deleted. */

import type { BackupDeps } from '../backups-deps.ts'
import { insertRun } from '../records/backup-store.ts'
import { listClusterRestores } from '../records/cluster-restore-store.ts'
import { applyRetention } from '../records/kept-snapshots.ts'
import type { BackupRow, ChoreRow } from '../records/tables.ts'
import { dueSlot, jitterMs } from '../rules/schedule.ts'
import { dispatchChore } from './dispatch.ts'
import { storeReason } from './reason-text.ts'
import { move } from './settle.ts'
import type { BackupWorld } from './world.ts'

/** A run that could not be sent for so long is given up. ms */
const longestWaitMs = 24 * 3600_000
const weekMs = 7 * 24 * 3600_000
/** From a chore that failed to the next try. ms */
const choreRetryMs = 3600_000
/** Snapshots that one task forgets at most; the rest follows. */
const mostForgotten = 500

export type Plan = Pick<BackupRow, 'id' | 'schedule' | 'time_zone' | 'slots_until'>

/** When the slot after `slots_until` begins, and which slots are dealt with then. */
export function nextRunOf({ id, schedule, time_zone }: Plan, since: Date, now: Date): { slot: Date | null; at: Date } {
  const { slot, next } = dueSlot(schedule, time_zone, since, now)
  return { slot, at: new Date(next.getTime() + jitterMs(id, schedule)) }
}

/** Begins the run of the slot that is due. While a run is under way the slot waits for its end. */
export async function beginDueRun(_: BackupDeps, world: BackupWorld): Promise<void> {
  const { trx, backup, run, at, instanceId } = world
  if (instanceId === undefined) return await endWithCluster(world)
  if (backup.next_at === null || backup.next_at > at) return
  if (run && run.state !== 'Pending') return
  const { slot, at: nextAt } = nextRunOf(backup, backup.slots_until, at)
  if (slot) {
    if (run) await giveUp(world)
    await insertRun(trx, backup, { scheduledFor: slot, at })
  }
  const plan = { next_at: nextAt, slots_until: slot ?? at }
  await trx.updateTable('backups').set(plan).where('id', '=', backup.id).execute()
}

/** A run that has waited for a day is given up. */
export async function giveUpLate(_: BackupDeps, world: BackupWorld): Promise<void> {
  const { run, at } = world
  if (run?.state === 'Pending' && at.getTime() - run.created_at.getTime() > longestWaitMs) await giveUp(world)
}

async function giveUp(world: BackupWorld): Promise<void> {
  if (world.run) await move(world, 'snapshots', world.run, 'fail', { reason: storeReason({ key: 'backupGivenUp' }) })
}

/** The cluster is gone: nothing can run on it any more; what was stored stays. */
async function endWithCluster(world: BackupWorld): Promise<void> {
  const { trx, backup, run, restore } = world
  const reason = storeReason({ key: 'backupClusterLost' })
  if (run) await move(world, 'snapshots', run, 'fail', { reason })
  if (restore) await move(world, 'restores', restore, 'fail', { reason })
  await trx.updateTable('backups').set({ next_at: null }).where('id', '=', backup.id).execute()
}

/** Whether the newest of these chores failed so lately that it is not tried again yet. */
export async function hasJustFailed({ trx, at, backup }: BackupWorld, kinds: ChoreRow['kind'][]): Promise<boolean> {
  const last = await trx
    .selectFrom('backup_chores')
    .select(['reason', 'ended_at'])
    .where('backup_id', '=', backup.id)
    .where('kind', 'in', kinds)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return !!last?.reason && !!last.ended_at && at.getTime() - last.ended_at.getTime() < choreRetryMs
}

/** Forgets what the rules do not keep, as the preview lists it; prunes once a week after something was forgotten. */
export async function tendRepository(deps: BackupDeps, world: BackupWorld): Promise<void> {
  const { trx, at, backup, run, restore, chore } = world
  if (run || restore || chore) return
  // While a new cluster reads, nothing is moved. One that waits, for a password say, may wait for weeks: its snapshot
  // is kept as the rules' own are, and the rest goes on.
  if ((await listClusterRestores(trx, backup.id)).some(({ state }) => state !== 'Pending')) return
  // Until the owner says that it was them, everything stays; and while nobody knows which snapshots are whole.
  if (backup.alarm !== null || backup.damaged_at !== null) return
  if (await hasJustFailed(world, ['forget', 'prune'])) return
  const { remove } = await applyRetention(trx, backup)
  if (remove.length > 0) return await dispatchChore(deps, world, 'forget', remove.slice(-mostForgotten))
  const since = backup.pruned_at ?? backup.created_at
  if (at.getTime() - since.getTime() < weekMs) return
  const forgotten = await trx
    .selectFrom('snapshots')
    .select('id')
    .where('backup_id', '=', backup.id)
    .where('forgotten_at', '>', since)
    .limit(1)
    .executeTakeFirst()
  if (forgotten) await dispatchChore(deps, world, 'prune', [])
}
