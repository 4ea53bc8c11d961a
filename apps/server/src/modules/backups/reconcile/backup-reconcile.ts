/**
 * The only job that moves backups to their next state. Calls record a request and enqueue it; agents' reports enqueue
 * it; the sweep does so every minute. A run reads everything again under the lock of the backup's row and is one
 * transaction: killed at any point it has changed nothing, and repeated it finds nothing left to do.
 * Locks: the backup, then agents' tasks. A process that stores a report holds the latter, so it only enqueues.
 */
import { deleteGraceMs } from '@atoll/contract/backups'
import { z } from 'zod'
import { findHold, findResumedAt } from '../../../platform/careful/index.ts'
import { countWrites, type Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { lockBackup, reconcileJob } from '../records/backup-store.ts'
import { adoptFoundSnapshots } from '../records/found-snapshots.ts'
import type { BackupRow } from '../tables.ts'
import { beginSafetyRun, dispatchRestore, dispatchRun } from './dispatch.ts'
import { beginDrill, nextDrillAt } from './drill.ts'
import { type BackupFacts, findFacts, findMachine } from './facts.ts'
import { followActivation } from './follow-activation.ts'
import { beginDueRun, giveUpLate, maintainRepository } from './maintain.ts'
import { restoreClusters } from './new-clusters.ts'
import { dispatchPassword } from './password-change.ts'
import { beginReading, nextCheckAt, settleHashing } from './prove.ts'
import { settleRuns } from './settle.ts'
import { settleChore } from './settle-chore.ts'
import { noteDamage } from './warn.ts'

/** Delay before the next reconcile for work that is due and could not be started, ms. */
const againMs = 3600_000

export function backupReconcile(deps: BackupDeps): Job {
  return defineJob({
    name: reconcileJob,
    lane: 'own',
    waits: 'never',
    payload: z.object({ id: z.string() }),
    async run({ id }) {
      await deps.db.transaction().execute((trx) => reconcile(deps, trx, id))
    },
  })
}

async function reconcile(deps: BackupDeps, trx: Trx, id: string): Promise<void> {
  const backup = await lockBackup(trx, id)
  if (!backup || backup.state === 'deleted') return
  const before = await textOf(trx, backup)
  const counted = countWrites(trx)
  let machine = await findMachine(deps, trx, backup)
  let facts = await findFacts(deps, counted.trx, backup, machine)
  let known = 0
  for (const act of backup.state === 'deleting' ? deletingSteps : steps) {
    // Each sees what the ones before it wrote.
    if (counted.writes() > known) {
      const now = await trx.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      // A step may have given it to another cluster.
      if (now.cluster_id !== facts.backup.cluster_id) machine = await findMachine(deps, trx, now)
      facts = await findFacts(deps, counted.trx, now, machine)
    }
    known = counted.writes()
    await act(deps, facts)
  }
  if (counted.writes() === 0) return
  if ((await textOf(trx, backup)) !== before) await publishChange(trx, { account: backup.owner, topic: 'backup', id })
}

type Step = (deps: BackupDeps, facts: BackupFacts) => Promise<void>
const deletingSteps: readonly Step[] = [settleRuns, settleChore, restoreClusters, endDeletion]
const steps: readonly Step[] = [
  settleRuns,
  settleChore,
  settleHashing,
  adoptFound,
  noteDamage,
  followActivation,
  beginDueRun,
  giveUpLate,
  beginSafetyRun,
  dispatchRun,
  dispatchRestore,
  dispatchPassword,
  restoreClusters,
  maintainRepository,
  beginReading,
  beginDrill,
  planNextReconcile,
]

/** Snapshots that `reindexBackups` skipped because a run was under way. */
async function adoptFound(_: BackupDeps, { trx, backup, run, at }: BackupFacts): Promise<void> {
  if (!run) await adoptFoundSnapshots(trx, backup, at)
}

async function endDeletion(_: BackupDeps, { trx, at, backup }: BackupFacts): Promise<void> {
  if (!backup.deleted_at || backup.deleted_at > at) return
  if (await findHold(trx, { waits: 'deadline', source: 'vault', dueAt: backup.deleted_at })) return
  // It may have been taken back in the time that a restored database does not know.
  const resumedAt = await findResumedAt(trx)
  if (resumedAt && resumedAt.getTime() + deleteGraceMs > at.getTime()) return
  const ended = { state: 'deleted', box: null, password: 'missing' } as const
  await trx.updateTable('backups').set(ended).where('id', '=', backup.id).execute()
}

/** Differs when something that is shown has changed. */
async function textOf(trx: Trx, { id }: BackupRow): Promise<string> {
  const backup = await trx.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst()
  // The time of the next reconcile is not shown.
  if (backup) backup.look_at = null
  const newest = (table: 'snapshots' | 'restores') =>
    trx.selectFrom(table).selectAll().where('backup_id', '=', id).orderBy('created_at', 'desc').limit(10).execute()
  const forgotten = await trx
    .selectFrom('snapshots')
    .select((from) => from.fn.max('forgotten_at').as('at'))
    .where('backup_id', '=', id)
    .executeTakeFirst()
  const proved = await trx
    .selectFrom('proofs')
    .select((from) => from.fn.countAll().as('count'))
    .where('backup_id', '=', id)
    .executeTakeFirst()
  const proving = await trx
    .selectFrom('backup_chores')
    .select(['id', 'task_id', 'reseal_task_id'])
    .where('backup_id', '=', id)
    .where('kind', 'in', ['check', 'drill', 'password'])
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return JSON.stringify([backup, await newest('snapshots'), await newest('restores'), forgotten, proved, proving])
}

/** Schedules the next reconcile for checks and drills, which neither a slot nor a person triggers. */
async function planNextReconcile(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, at, backup } = facts
  const due = [await nextCheckAt(deps, facts), await nextDrillAt(facts)].flatMap((each) => each?.getTime() ?? [])
  const next = due.length > 0 ? new Date(Math.max(Math.min(...due), at.getTime() + againMs)) : null
  if (next?.getTime() === backup.look_at?.getTime()) return
  await trx.updateTable('backups').set({ look_at: next }).where('id', '=', backup.id).execute()
}
