/** A right to read a repository, for the machine whose backup it is: its owner browses it there. */
import { newId } from '../../../platform/crypto.ts'
import { refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { listClusterBackups } from '../records/backup-store.ts'

/** A machine that is lost keeps its right to read no longer than this; it asks anew while somebody reads. ms */
const readMs = 3600_000

/** Nothing is locked: a repository that is being deleted takes back all its grants, this one among them. */
export async function grantToMaster(
  { db, clock, vault, proveMaster }: BackupDeps,
  { backupId, ...proof }: { instanceId: string; agentToken: string; backupId: string },
  ip: string | null,
) {
  const { clusterId } = (await proveMaster(db, proof)) ?? refuse('agentUnproven')
  const backup = (await listClusterBackups(db, clusterId)).find(({ id }) => id === backupId)
  if (!backup) return refuse('notFound', { object: 'backup' })
  const until = new Date(clock.now().getTime() + readMs)
  const asked = { repositoryId: backup.repo_id, right: 'read', taskId: newId('at'), until } as const
  const repository = await db.transaction().execute(async (trx) => {
    const object = { kind: 'backup', id: backupId, owner: backup.owner, name: backup.name } as const
    // Only the machine knows who reads there; the audit log shows the owner that somebody could.
    await recordAudit(trx, { actor: 'system', ip, action: 'backup.look', object })
    return await vault.grant(trx, asked)
  })
  return { repository, until: until.getTime() }
}
