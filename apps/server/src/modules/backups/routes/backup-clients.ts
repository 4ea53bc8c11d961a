import {
  backupRegion,
  backupSave,
  backupStop,
  snapshotSave,
  stsTokenBackup,
  stsTokenBackupRefresh,
} from '@atoll/contract/backups'
import { implement, type Route } from '../../../http/route.ts'
import { endBackup, saveBackup, saveSnapshot } from '../clients/client-backups.ts'
import type { ClientDeps } from '../clients/client-deps.ts'
import { grantStore, listRegions, renewGrant } from '../clients/store-grants.ts'

export function backupClientRoutes(deps: ClientDeps): Route[] {
  return [
    implement(backupSave, (body, { account }) => saveBackup(deps, account, body)),
    implement(backupStop, async ({ backupId }, { account }) => {
      await endBackup(deps, account, { backupId, as: 'stopped' })
      return {}
    }),
    implement(snapshotSave, (body) => saveSnapshot(deps, body)),
    implement(backupRegion, async () => listRegions(deps)),
    implement(stsTokenBackup, (body, { account, log }) => grantStore(deps, account, body, log)),
    implement(stsTokenBackupRefresh, (body, { log }) => renewGrant(deps, body, log)),
  ]
}
