/** Begins the runs of a backup at its slots, forgets what its rules do not keep, and prunes. */

import { Reason } from '@atoll/contract/api'
import { findHold } from '../../../platform/careful/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { insertRun } from '../records/backup-store.ts'
import { listClusterRestores } from '../records/cluster-restore-store.ts'
import { applyRetention, forgetSnapshots, hasUnpruned } from '../records/kept-snapshots.ts'
import { isShortOfRoom } from '../records/room.ts'
import { nextRunOf } from '../rules/next-run.ts'
import { storeReason } from '../rules/reason-text.ts'
import type { ChoreRow, SnapshotRow } from '../tables.ts'
import { dispatchPrune } from './dispatch.ts'
import type { BackupFacts } from './facts.ts'
import { move } from './settle.ts'
import { tellTrouble } from './warn.ts'

/** After this time a run that could not be sent is given up. ms */
const longestWaitMs = 24 * 3600_000
const weekMs = 7 * 24 * 3600_000
/** From a chore that failed to the next try. ms */
const choreRetryMs = 3600_000

/** Begins the run of the slot that is due. While a run is under way the slot waits for its end. */
export async function beginDueRun(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, backup, run, at, instanceId } = facts
  if (instanceId === undefined) return await endWithCluster(facts)
  if (backup.next_at === null || backup.next_at > at) return
  if (run && run.state !== 'Pending') return
  const { slot, at: nextAt } = nextRunOf(backup, backup.slots_until, at)
  if (slot) {
    if (run) await giveUp(deps, facts, run)
    await insertRun(trx, backup, { scheduledFor: slot, at })
  }
  const plan = { next_at: nextAt, slots_until: slot ?? at }
  await trx.updateTable('backups').set(plan).where('id', '=', backup.id).execute()
}

/** A run that has waited for a day is given up. */
export async function giveUpLate(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { run, at } = facts
  if (run?.state === 'Pending' && at.getTime() - run.created_at.getTime() > longestWaitMs)
    await giveUp(deps, facts, run)
}

async function giveUp(deps: BackupDeps, facts: BackupFacts, run: SnapshotRow): Promise<void> {
  await move(facts, 'snapshots', run, 'fail', { reason: storeReason({ key: 'backupGivenUp' }) })
  // No mail about a machine that is off: alert rules cover that. Otherwise the owner can help, and is told how.
  const waited = run.reason === null ? undefined : Reason.safeParse(JSON.parse(run.reason)).data
  const wasAway = !facts.agent?.connected || waited?.key === 'backupWaitsMachine'
  if (!wasAway && waited) await tellTrouble(deps, facts, 'run', waited)
}

/** The cluster is gone: nothing can run on it any more; what was stored stays. */
async function endWithCluster(facts: BackupFacts): Promise<void> {
  const { trx, backup, run, restore } = facts
  const reason = storeReason({ key: 'backupClusterLost' })
  if (run) await move(facts, 'snapshots', run, 'fail', { reason })
  if (restore && restore.reader_cluster_id === null) await move(facts, 'restores', restore, 'fail', { reason })
  await trx.updateTable('backups').set({ next_at: null }).where('id', '=', backup.id).execute()
}

/** Whether the newest of these chores failed so lately that it is not tried again yet. */
export async function hasJustFailed({ trx, at, backup }: BackupFacts, kinds: ChoreRow['kind'][]): Promise<boolean> {
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

/**
 * Forgets what the rules do not keep, as the preview lists it. Prunes what no snapshot needs once a week, or at once
 * where the next run has no room.
 */
export async function maintainRepository(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, at, backup, run, restore, chore } = facts
  if (run || restore || chore) return
  // While a new cluster reads, nothing is moved. One that waits, for a password say, may wait for weeks: its snapshot
  // is kept as the rules' own are, and the rest goes on.
  if ((await listClusterRestores(trx, backup.id)).some(({ state }) => state !== 'Pending')) return
  // Until the owner says that it was them, everything stays; and while nobody knows which snapshots are whole.
  if (backup.alarm !== null || backup.damaged_at !== null) return
  // The vault may hold what this database does not know of, and a clock that jumped makes everything old.
  if (await findHold(trx, { waits: 'deadline', source: 'vault' })) return
  const { remove } = await applyRetention(deps, trx, backup)
  if (remove.length > 0) {
    await forgetSnapshots(deps, trx, backup, { by: 'rules', rows: remove.map(({ snapshot }) => snapshot) })
  }
  if (!backup.has_repository || !(await hasUnpruned(trx, backup)) || (await hasJustFailed(facts, ['prune']))) return
  const since = backup.pruned_at ?? backup.created_at
  const isDue =
    at.getTime() - since.getTime() >= weekMs ||
    (await isShortOfRoom(deps, trx, backup)) ||
    (await deps.vault.isAtReserve(trx))
  if (isDue) await dispatchPrune(deps, facts)
}
