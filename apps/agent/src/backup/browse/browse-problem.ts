/** The visitor's answer when restic failed. Restic's own words may name files and hosts: they stay here. */
import { HttpProblem } from '../../kernel/problem.ts'
import { BackupProblem } from '../repository/restic-failure.ts'

export function toHttpProblem(error: unknown): unknown {
  if (!(error instanceof BackupProblem)) return error
  switch (error.failure) {
    case 'no_password':
    case 'wrong_password':
      return new HttpProblem(409, 'backupLocked', 'The password of this backup is not kept on this server.')
    case 'no_restic':
      return new HttpProblem(503, 'noRestic', 'No restic of 0.14.0 or newer runs on this server.')
    case 'unreachable':
    case 'locked':
      return new HttpProblem(503, 'vaultAway', 'The place where the backups are kept is not reached.')
    case 'no_snapshot':
    case 'no_repository':
      return new HttpProblem(404, 'backupGone', 'This backup is not kept any more.')
    case 'damaged':
      return new HttpProblem(500, 'backupDamaged', 'What is stored is not what was written.')
    default:
      return new HttpProblem(500, 'backupFailed', 'The backup could not be read.')
  }
}
