import {
  backupDetail,
  backupGrants,
  backupList,
  backupLooked,
  backupRestoring,
  backupRetention,
  backupSnapshot,
  backupSnapshots,
} from '@atoll/contract/backups'
import { implement, type Route } from '../../../http/route.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { readLook } from '../commands/look.ts'
import { getBackup, listBackups, pageSnapshots, previewRetention } from '../views/backup-views.ts'
import { getRestoring, getSnapshot } from '../views/cluster-restore-views.ts'
import { listGrants } from '../views/grants-view.ts'

export function backupReadRoutes(deps: BackupDeps): Route[] {
  return [
    implement(backupList, (_, { account, locale }) => listBackups(deps, account.userid, locale)),
    implement(backupDetail, ({ backupId }, { account, locale }) => getBackup(deps, account.userid, backupId, locale)),
    implement(backupSnapshots, (body, { account, locale }) => pageSnapshots(deps, account.userid, body, locale)),
    implement(backupSnapshot, ({ snapshotId }, { account, locale }) =>
      getSnapshot(deps, account.userid, snapshotId, locale),
    ),
    implement(backupRestoring, ({ clusterId }, { account, locale }) =>
      getRestoring(deps, account.userid, clusterId, locale),
    ),
    implement(backupLooked, (body, { account, locale }) => readLook(deps, account, body, locale)),
    implement(backupGrants, ({ backupId }, { account }) => listGrants(deps, account.userid, backupId)),
    implement(backupRetention, (body, { account }) => previewRetention(deps, account.userid, body)),
  ]
}
