import type { BackupFailure } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { NamedFile } from '../../vault/index.ts'
import { failureReason } from './failure-reason.ts'

/** Failures that a stored file can be the reason of. */
export const failuresOfFiles: ReadonlySet<BackupFailure | undefined> = new Set(['damaged', 'failed', 'no_snapshot'])
/** So much of a name is shown: enough to find the file by. */
const shownName = 16

/** The vault's knowledge of a failure: whose room was short, and the stored file that restic's words name. */
export interface Blamed {
  refused: 'quota' | 'disk' | undefined
  file: NamedFile | undefined
}

/**
 * Why a task failed, as shown to its owner. If restic names a stored file, the reason does, too, with the right under
 * which that file was stored: a machine that was taken over can store files that make the rest unreadable.
 */
export function explainFailure(failure: BackupFailure | undefined, text: string, blamed: Blamed | undefined): Reason {
  const reason = failureReason(failure, text, blamed?.refused)
  if ((reason.key !== 'said' && reason.key !== 'backupDamaged') || !failuresOfFiles.has(failure)) return reason
  return blamed?.file ? { key: 'backupFileUnusable', params: paramsOf(blamed.file) } : reason
}

function paramsOf({ type, name, grantId, at }: NamedFile) {
  const file = type === name ? name : `${type}/${name.slice(0, shownName)}`
  return { file, time: `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`, grant: grantId ?? '–' }
}
