import { backupDetail, backupList, backupRetention, backupSnapshots } from '@atoll/contract/backups'
import { implement, type Route } from '../../../http/route.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { getBackup, listBackups, pageSnapshots, previewRetention } from '../views/backup-views.ts'

export function backupReadRoutes(deps: BackupDeps): Route[] {
  return [
    implement(backupList, (_, { account, locale }) => listBackups(deps, account.userid, locale)),
    implement(backupDetail, ({ backupId }, { account, locale }) => getBackup(deps, account.userid, backupId, locale)),
    implement(backupSnapshots, (body, { account, locale }) => pageSnapshots(deps, account.userid, body, locale)),
    implement(backupRetention, (body, { account }) => previewRetention(deps, account.userid, body)),
  ]
}
