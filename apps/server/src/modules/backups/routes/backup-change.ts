import {
  backupAnswerAlarm,
  backupCancel,
  backupCreate,
  backupDelete,
  backupPause,
  backupProve,
  backupRestore,
  backupRun,
  backupUndelete,
  backupUnlock,
  backupUpdate,
} from '@atoll/contract/backups'
import { implement, type Route } from '../../../http/route.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { endBackup } from '../clients/client-backups.ts'
import type { ClientDeps } from '../clients/client-deps.ts'
import { deleteBackup, pauseBackup, undeleteBackup, updateBackup } from '../commands/backup-change.ts'
import { createBackup } from '../commands/backup-create.ts'
import { answerAlarm, proveBackup } from '../commands/backup-prove.ts'
import { cancelRun, restoreSnapshot, runBackup, unlockBackup } from '../commands/backup-run.ts'

export function backupChangeRoutes(deps: BackupDeps & ClientDeps): Route[] {
  return [
    implement(backupCreate, (body, { account }) => createBackup(deps, account, body)),
    implement(backupUpdate, (body, { account }) => updateBackup(deps, account, body)),
    implement(backupPause, (body, { account }) => pauseBackup(deps, account, body)),
    implement(backupRun, (body, { account }) => runBackup(deps, account, body)),
    implement(backupCancel, (body, { account }) => cancelRun(deps, account, body)),
    implement(backupDelete, async (body, { account }) => {
      if (body.backupId.startsWith('bk_')) return await deleteBackup(deps, account, body)
      await endBackup(deps, account, { backupId: body.backupId, as: 'deleted' })
      return { deletedAt: deps.clock.now().toISOString() }
    }),
    implement(backupUndelete, (body, { account }) => undeleteBackup(deps, account, body)),
    implement(backupUnlock, (body, { account }) => unlockBackup(deps, account, body)),
    implement(backupRestore, (body, { account }) => restoreSnapshot(deps, account, body)),
    implement(backupProve, (body, { account }) => proveBackup(deps, account, body)),
    implement(backupAnswerAlarm, (body, { account }) => answerAlarm(deps, account, body)),
  ]
}
