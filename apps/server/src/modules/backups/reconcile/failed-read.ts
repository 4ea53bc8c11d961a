import type { BackupFailure } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { Trx } from '../../../platform/db/index.ts'
import { findNamedFile, type NamedFile } from '../../vault/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { failureReason } from '../rules/failure-reason.ts'

/** Failures that a stored file can be the reason of. */
const ofFiles: ReadonlySet<BackupFailure | undefined> = new Set(['damaged', 'failed', 'no_snapshot'])
/** So much of a name is shown: enough to find the file by. */
const shownName = 16

/**
 * Why a task failed, as shown to its owner. If restic names a stored file, the reason does, too, with the right under
 * which that file was stored: a machine that was taken over can store files that make the rest unreadable.
 */
export async function explainFailure(
  { vault }: Pick<BackupDeps, 'vault'>,
  trx: Trx,
  { repositoryId, taskId }: { repositoryId: string; taskId: string | null },
  { failure, text }: { failure: BackupFailure | undefined; text: string },
): Promise<Reason> {
  const reason = failureReason(failure, text, await vault.findRefused(trx, taskId ?? ''))
  if (reason.key !== 'said' && reason.key !== 'backupDamaged') return reason
  const file = ofFiles.has(failure) ? await findNamedFile(trx, repositoryId, text) : undefined
  return file ? { key: 'backupFileUnusable', params: paramsOf(file) } : reason
}

function paramsOf({ type, name, grantId, at }: NamedFile) {
  const file = type === name ? name : `${type}/${name.slice(0, shownName)}`
  return { file, time: `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`, grant: grantId ?? '–' }
}
