/** What an operator does when a right to prune was stolen, or rules that were too strict ran. */
import type { Db } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { listSnapshotFiles, restoreTrash } from '../../vault/index.ts'
import { enqueueReconcile, lockBackup } from '../records/backup-store.ts'

export interface UndonePrune {
  /** Files that are there again. */
  restored: number
  /** Files whose bytes are gone. */
  lost: number
  /** Snapshots that can be restored again. */
  snapshots: number
}

/** Brings back what was forgotten and pruned of a backup, as far as its bytes are there; undefined: no such backup. */
export async function undoPrune(db: Db, id: string): Promise<UndonePrune | undefined> {
  return await db.transaction().execute(async (trx) => {
    const backup = await lockBackup(trx, id)
    // What is being deleted as a whole is its owner's to take back.
    if (!backup || backup.state === 'deleting' || backup.state === 'deleted') return undefined
    const { restored, lost } = await restoreTrash(trx, { repositoryId: backup.repo_id })
    const there = (await listSnapshotFiles(trx, backup.repo_id)).map(({ name }) => name)
    const back =
      there.length === 0
        ? []
        : await trx
            .updateTable('snapshots')
            .set({ forgotten_at: null })
            .where('backup_id', '=', id)
            .where('forgotten_at', 'is not', null)
            .where('restic_id', 'in', there)
            .returning('id')
            .execute()
    await recordAudit(trx, {
      ...{ actor: 'system', ip: null, action: 'backup.unprune' },
      object: { kind: 'backup', id, owner: backup.owner, name: backup.name },
      after: { files: restored, snapshots: back.length },
    })
    await publishChange(trx, { account: backup.owner, topic: 'backup', id })
    await enqueueReconcile(trx, id)
    return { restored, lost, snapshots: back.length }
  })
}
