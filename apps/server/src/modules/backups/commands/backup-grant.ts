/** Rights to read a repository: for the machine through which its owner browses it, and for the owner. */
import { taskKinds } from '@atoll/contract/agents'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import { refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { findLivingBackup, listClusterBackups } from '../records/backup-store.ts'
import type { BackupRow } from '../tables.ts'
import { auditBackup, requireLiving, runBackupCommand } from './backup-command.ts'

/**
 * A lost machine keeps its right to read no longer than this; a master requests a new grant while somebody reads. ms
 */
const readMs = 3600_000
/** An owner restores with restic alone: a large backup takes its time. ms */
const ownerReadMs = 24 * 3600_000

/** Nothing is locked: a repository that is being deleted takes back all its grants, this one among them. */
export async function grantToMaster(
  { db, clock, vault, proveMaster, agents }: BackupDeps,
  { backupId, ...proof }: { instanceId: string; agentToken: string; backupId: string },
  ip: string | null,
) {
  const { clusterId } = (await proveMaster(db, proof)) ?? refuse('agentUnproven')
  const own = (await listClusterBackups(db, clusterId)).find(({ id }) => id === backupId)
  const backup = own ?? (await findAskedThere({ db, agents }, proof.instanceId, backupId))
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

/** A backup of another cluster that the owner looks at through this machine, for as long as they wait for an answer. */
async function findAskedThere(
  { db, agents }: Pick<BackupDeps, 'db' | 'agents'>,
  instanceId: string,
  backupId: string,
): Promise<BackupRow | undefined> {
  const open = await agents.listOpenTasks(db, instanceId, taskKinds['backup.look'].kind)
  const looks = await Promise.all(open.map(({ id }) => agents.readParams(db, id)))
  return looks.some((params) => params?.['backupId'] === backupId) ? await findLivingBackup(db, backupId) : undefined
}

/**
 * Lets the owner read a backup with restic alone, also when its machine or its cluster is gone. An earlier right of
 * theirs ends; all end with the backup.
 */
export async function grantToOwner(
  deps: BackupDeps,
  caller: Caller,
  body: { backupId: string },
): Promise<{ repository: string; command: string; until: string }> {
  return await runBackupCommand(deps, caller, { call: 'backupReadGrant', body }, async (command) => {
    const { trx, backup, at } = command
    requireLiving(backup)
    const restorable = trx.selectFrom('snapshots').select('id').where('backup_id', '=', backup.id).limit(1)
    const isThere = restorable.where('state', '=', 'Completed').where('forgotten_at', 'is', null)
    if (!(await isThere.executeTakeFirst())) refuse('snapshotNotRestorable')
    // It is of no task of a machine, and lasts until its time or the next one.
    await deps.vault.endGrants(trx, { taskId: backup.id })
    const until = new Date(at.getTime() + ownerReadMs)
    const asked = { repositoryId: backup.repo_id, right: 'read', taskId: backup.id, until } as const
    const { url, grantId, token } = await deps.vault.grant(trx, asked)
    await auditBackup(command, 'backup.readGrant')
    const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
    const restore = `export RESTIC_REPOSITORY='${repository}'\nrestic restore latest --target restored`
    return { repository, command: restore, until: until.toISOString() }
  })
}
