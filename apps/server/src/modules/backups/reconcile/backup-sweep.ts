import type { Job } from '../../../platform/jobs/index.ts'
import { defineSweep } from '../../../platform/reconcile/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { reconcileJob } from '../records/backup-store.ts'

/** Enqueues a reconcile of each backup that is due, has something under way, or is to end: the scheduler. */
export function backupSweep({ db, clock }: BackupDeps): Job {
  return defineSweep({
    name: 'backup.sweep',
    lane: 'own',
    waits: 'never',
    reconciler: reconcileJob,
    db,
    clock,
    async listQuiet(now) {
      const due = db
        .selectFrom('backups')
        .select('id')
        .where((from) =>
          from.or([
            from('next_at', '<=', now),
            from.and([from('state', '=', 'deleting'), from('deleted_at', '<=', now)]),
            from('prove_state', 'is not', null),
            from.and([from('look_at', '<=', now), from('state', 'in', ['active', 'paused'])]),
          ]),
        )
      const open = (table: 'snapshots' | 'restores' | 'backup_chores') =>
        db.selectFrom(table).select('backup_id as id').where('ended_at', 'is', null)
      const rows = await due.union(open('snapshots')).union(open('restores')).union(open('backup_chores')).execute()
      return rows.map(({ id }) => id)
    },
  })
}
