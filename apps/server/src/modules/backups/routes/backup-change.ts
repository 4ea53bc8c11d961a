import {
  backupAnswerAlarm,
  backupCancel,
  backupChangePassword,
  backupCreate,
  backupDelete,
  backupForget,
  backupGoBack,
  backupLook,
  backupMove,
  backupPause,
  backupPin,
  backupProve,
  backupReadGrant,
  backupRestore,
  backupRun,
  backupTakeBack,
  backupUndelete,
  backupUndoGoBack,
  backupUnlock,
  backupUpdate,
} from '@atoll/contract/backups'
import { implement, type Route } from '../../../http/route.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { endBackup } from '../clients/client-backups.ts'
import type { ClientDeps } from '../clients/client-deps.ts'
import { deleteBackup, pauseBackup, undeleteBackup, updateBackup } from '../commands/backup-change.ts'
import { createBackup } from '../commands/backup-create.ts'
import { grantToOwner } from '../commands/backup-grant.ts'
import { answerAlarm, proveBackup } from '../commands/backup-prove.ts'
import { cancelRun, changePassword, restoreSnapshot, runBackup, unlockBackup } from '../commands/backup-run.ts'
import { goBackOwn, undoGoBackOwn } from '../commands/go-back.ts'
import { lookAtSnapshot } from '../commands/look.ts'
import { answerMove } from '../commands/plan-move.ts'
import { forgetSnapshot, pinSnapshot, takeBackSnapshot } from '../commands/snapshot-keeping.ts'

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
    implement(backupPin, (body, { account }) => pinSnapshot(deps, account, body)),
    implement(backupForget, (body, { account }) => forgetSnapshot(deps, account, body)),
    implement(backupTakeBack, (body, { account }) => takeBackSnapshot(deps, account, body)),
    implement(backupGoBack, (body, { account }) => goBackOwn(deps, account, body)),
    implement(backupUndoGoBack, (body, { account }) => undoGoBackOwn(deps, account, body)),
    implement(backupReadGrant, (body, { account }) => grantToOwner(deps, account, body)),
    implement(backupChangePassword, (body, { account }) => changePassword(deps, account, body)),
    implement(backupUnlock, (body, { account }) => unlockBackup(deps, account, body)),
    implement(backupRestore, (body, { account }) => restoreSnapshot(deps, account, body)),
    implement(backupLook, (body, { account }) => lookAtSnapshot(deps, account, body)),
    implement(backupMove, (body, { account }) => answerMove(deps, account, body)),
    implement(backupProve, (body, { account }) => proveBackup(deps, account, body)),
    implement(backupAnswerAlarm, (body, { account }) => answerAlarm(deps, account, body)),
  ]
}
