/**
 * The only job that moves backups to their next state. Calls record a request and enqueue it; agents' reports enqueue
 * it; the sweep does so every minute. A run reads the facts under the lock of the backup's row, decides, applies the
 * changes, and reads again only after a change, until nothing is left to do. It is one transaction: killed at any point
 * it has changed nothing, and repeated it finds nothing left to do.
 * Locks: the backup, then agents' tasks. A process that stores a report holds the latter, so it only enqueues.
 */
import { z } from 'zod'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import { enqueueReconcile } from '../../../platform/reconcile/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { lockBackup, reconcileJob } from '../records/backup-store.ts'
import type { BackupRow } from '../tables.ts'
import { applyChanges } from './apply.ts'
import { decide } from './decide.ts'
import { nextPollAt } from './drill-elsewhere.ts'
import { loadFacts } from './load-facts.ts'

/** A backup comes to rest after a few decisions; so many are a rule that undoes what another one does. */
const mostRounds = 50

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
  let facts = await loadFacts(deps, trx, backup)
  let changes = decide(facts)
  const before = changes.length > 0 ? await textOf(trx, backup) : ''
  for (let round = 0; changes.length > 0; round += 1) {
    if (round === mostRounds) throw new Error(`The backup ${id} does not come to rest: ${JSON.stringify(changes)}`)
    if (!(await applyChanges(deps, { trx, at: facts.at, backup: facts.backup }, changes))) break
    const now = await trx.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    facts = await loadFacts(deps, trx, now)
    changes = decide(facts)
  }
  const pollAt = nextPollAt(facts)
  if (pollAt) await enqueueReconcile(trx, reconcileJob, id, pollAt)
  if (before === '' || (await textOf(trx, backup)) === before) return
  await publishChange(trx, { account: backup.owner, topic: 'backup', id })
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
