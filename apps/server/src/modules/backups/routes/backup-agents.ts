import { agentBackupGrant, agentBackups } from '@atoll/contract/agents'
import { implement, type Route } from '../../../http/route.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { grantToMaster } from '../commands/backup-grant.ts'
import { listKeptOfMaster } from '../views/master-backups.ts'

export function backupAgentRoutes(deps: BackupDeps): Route[] {
  return [
    implement(agentBackups, async (proof) => ({ backups: await listKeptOfMaster(deps, proof) })),
    implement(agentBackupGrant, (body, { ip }) => grantToMaster(deps, body, ip)),
  ]
}
