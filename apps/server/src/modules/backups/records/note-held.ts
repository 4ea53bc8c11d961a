import type { Trx } from '../../../platform/db/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import type { BackupRow } from '../tables.ts'

/** Has the meters read what the repository of a backup holds, in the transaction that says why it changed. */
export async function noteHeld(
  { usageOf, onHeld }: Pick<BackupDeps, 'usageOf' | 'onHeld'>,
  trx: Trx,
  { repo_id: repositoryId, cluster_id: clusterId, owner }: BackupRow,
): Promise<void> {
  const { liveBytes: bytes } = await usageOf(trx, { repositoryId })
  await onHeld(trx, { repositoryId, clusterId, owner, bytes })
}
