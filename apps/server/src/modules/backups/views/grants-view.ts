import type { BackupGrants } from '@atoll/contract/backups'
import { findReturn, listGrantHistory } from '../../vault/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { trashQuotaOf } from '../records/room.ts'
import { getOwnBackup } from './backup-views.ts'

/** Rights to the store that changed something of a backup, and whether it can go back to before each. */
export async function listGrants(deps: BackupDeps, owner: string, backupId: string): Promise<BackupGrants> {
  const { db, clock } = deps
  const { repo_id: repositoryId } = await getOwnBackup({ db }, owner, backupId)
  const quota = await trashQuotaOf(deps, db, owner)
  const history = await listGrantHistory(db, { repositoryId, owner, quota })
  const taskIds = history.map(({ taskId }) => taskId)
  const runs =
    taskIds.length === 0
      ? []
      : await db.selectFrom('snapshots').select(['id', 'task_id']).where('task_id', 'in', taskIds).execute()
  const runOf = new Map(runs.map(({ id, task_id }) => [task_id, id]))
  const last = await findReturn(db, repositoryId)
  return {
    grants: history.map(({ grantId, right, taskId, at, stored, taken, until, gone }) => ({
      grantId,
      right,
      at: at.toISOString(),
      snapshotId: runOf.get(taskId) ?? null,
      stored,
      taken,
      gone,
      until: until?.toISOString() ?? null,
    })),
    wentBack: last && last.until > clock.now() ? { at: last.at.toISOString(), until: last.until.toISOString() } : null,
  }
}
