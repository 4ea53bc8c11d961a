import type { Config } from '../../config.ts'
import { OperatorError } from '../../platform/operator-error.ts'

/** Where own backups are; refuses while that is not set. */
export function repositoryOf({ selfBackup, resticProgram }: Config) {
  if (selfBackup === undefined) {
    throw new OperatorError(
      'Set ATOLL_SELF_BACKUP_REPOSITORY and ATOLL_SELF_BACKUP_PASSWORD_FILE, both outside the data folder.',
    )
  }
  return { ...selfBackup, program: resticProgram }
}
