import type { Trx } from '../../../platform/db/index.ts'
import { storeReason } from '../rules/reason-text.ts'
import { enqueueReconcile } from './backup-store.ts'
import { insertProof } from './proof-store.ts'

/**
 * A stored file differs from the one received. Runs in the vault's transaction, which holds that file: it waits for no
 * lock of a backup, and leaves the rest to the reconciler.
 */
export async function noteDamagedFile(
  trx: Trx,
  { repositoryId, type, name, at }: { repositoryId: string; type: string; name: string; at: Date },
): Promise<void> {
  const backup = await trx
    .selectFrom('backups')
    .select(['id', 'owner'])
    .where('repo_id', '=', repositoryId)
    .where('state', 'in', ['active', 'paused'])
    .executeTakeFirst()
  if (!backup) return
  // As restic shortens names; the vault's log has it whole.
  const file = type === name ? type : `${type}/${name.slice(0, 10)}…`
  const reason = storeReason({ key: 'backupFileDamaged', params: { file } })
  await insertProof(trx, backup, { level: 'written', passed: false, reason, at })
  await enqueueReconcile(trx, backup.id)
}
