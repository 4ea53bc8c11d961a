/** An operator's remedy after a right to prune was stolen, or after rules that were too strict have run. */
import type { Db } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { endGrants, restoreTrash } from '../../vault/index.ts'
import { enqueueReconcile, findOpenWork, lockBackup } from '../records/backup-store.ts'
import { alignSnapshots } from '../records/snapshot-alignment.ts'

export interface UndonePrune {
  /** Files that are there again. */
  restored: number
  /** Files whose bytes are gone. */
  lost: number
  /** Snapshots that can be restored again. */
  snapshots: number
}

/** Brings back what was forgotten and pruned of a backup, as far as its bytes are there; undefined: no such backup. */
export async function undoPrune(db: Db, id: string, at: Date): Promise<UndonePrune | undefined> {
  return await db.transaction().execute(async (trx) => {
    const backup = await lockBackup(trx, id)
    // A backup that is being deleted as a whole can only be taken back by its owner.
    if (!backup || backup.state === 'deleting' || backup.state === 'deleted') return undefined
    const { chore } = await findOpenWork(trx, id)
    // It knows nothing of what comes back, and would take what that needs.
    if (chore?.kind === 'prune') await endGrants(trx, { taskId: chore.task_id ?? '' }, at)
    const { restored, lost } = await restoreTrash(trx, { repositoryId: backup.repo_id })
    const { back } = await alignSnapshots(trx, backup, at)
    await recordAudit(trx, {
      actor: 'system',
      ip: null,
      action: 'backup.unprune',
      object: { kind: 'backup', id, owner: backup.owner, name: backup.name },
      after: { files: restored, snapshots: back },
    })
    await publishChange(trx, { account: backup.owner, topic: 'backup', id })
    await enqueueReconcile(trx, id)
    return { restored, lost, snapshots: back }
  })
}
