import {
  backupCancel,
  backupCreate,
  backupDelete,
  backupPause,
  backupRestore,
  backupRun,
  backupUndelete,
  backupUnlock,
  backupUpdate,
} from '@atoll/contract/backups'
import { implement, type Route } from '../../../http/route.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { deleteBackup, pauseBackup, undeleteBackup, updateBackup } from '../commands/backup-change.ts'
import { createBackup } from '../commands/backup-create.ts'
import { cancelRun, restoreSnapshot, runBackup, unlockBackup } from '../commands/backup-run.ts'

export function backupChangeRoutes(deps: BackupDeps): Route[] {
  return [
    implement(backupCreate, (body, { account }) => createBackup(deps, account, body)),
    implement(backupUpdate, (body, { account }) => updateBackup(deps, account, body)),
    implement(backupPause, (body, { account }) => pauseBackup(deps, account, body)),
    implement(backupRun, (body, { account }) => runBackup(deps, account, body)),
    implement(backupCancel, (body, { account }) => cancelRun(deps, account, body)),
    implement(backupDelete, (body, { account }) => deleteBackup(deps, account, body)),
    implement(backupUndelete, (body, { account }) => undeleteBackup(deps, account, body)),
    implement(backupUnlock, (body, { account }) => unlockBackup(deps, account, body)),
    implement(backupRestore, (body, { account }) => restoreSnapshot(deps, account, body)),
  ]
}
