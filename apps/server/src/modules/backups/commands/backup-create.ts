import {
  type BackupSchedule,
  type backupCreate,
  defaultKeepOf,
  isSlotShared,
  mostBackups,
} from '@atoll/contract/backups'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { insertRun, listClusterBackups } from '../records/backup-store.ts'
import { nextRunOf } from '../rules/next-run.ts'
import type { BackupRow } from '../tables.ts'
import { auditBackup, enqueueAndPublish } from './backup-command.ts'
import { planFacts } from './backup-facts.ts'

/** A new backup with an empty repository. The account is locked first: no two of a cluster get one slot or name. */
export async function createBackup(
  deps: BackupDeps,
  caller: Caller,
  body: CallBody<typeof backupCreate>,
): Promise<{ backupId: string }> {
  return await once(deps, { owner: caller.userid, call: 'backupCreate', body }, async (trx) => {
    await deps.lockAccount(trx, caller.userid)
    const { clusterId, name, paths, schedule, keep = defaultKeepOf(schedule), box } = body
    const masters = await deps.listOwnMasters(trx, caller.userid)
    if (!masters.some((master) => master.clusterId === clusterId)) return refuse('notFound', { object: 'cluster' })
    const others = await listClusterBackups(trx, clusterId)
    if (others.length >= mostBackups) refuse('backupsTooMany', { most: mostBackups })
    requireFreeName(others, name)
    requireFreeSlot(others, schedule)
    const timeZone = body.timeZone ?? others[0]?.time_zone ?? refuse('backupZoneMissing')
    const at = deps.clock.now()
    await saveZone(trx, others, timeZone, at)
    const { repositoryId } = await deps.vault.openRepository(trx, { accountId: caller.userid, clusterId })
    const id = newId('bk')
    const plan = { id, schedule, time_zone: timeZone, slots_until: at }
    const backup = await trx
      .insertInto('backups')
      .values({
        id,
        owner: caller.userid,
        cluster_id: clusterId,
        name,
        repo_id: repositoryId,
        time_zone: timeZone,
        paths: JSON.stringify(paths),
        schedule: JSON.stringify(schedule),
        keep: JSON.stringify(keep),
        state: 'active',
        slots_until: at,
        next_at: nextRunOf(plan, at, at).at,
        created_at: at,
        box: box ?? null,
        password: box === undefined ? 'missing' : 'given',
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (body.runNow) await insertRun(trx, backup, { scheduledFor: null, at })
    await auditBackup({ trx, caller, backup }, 'backup.create', { after: planFacts(backup) })
    await enqueueAndPublish(trx, backup)
    return { backupId: id }
  })
}

export function requireFreeName(others: readonly BackupRow[], name: string): void {
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) refuse('backupNameTaken', { name })
}

export function requireFreeSlot(others: readonly BackupRow[], schedule: BackupSchedule): void {
  if (others.some((other) => isSlotShared(other.schedule, schedule))) refuse('slotUsed')
}

/** Writes a plan whose schedule counts from now on. */
export async function savePlan(trx: Trx, plan: BackupRow, at: Date): Promise<void> {
  const { name, time_zone, state } = plan
  await trx
    .updateTable('backups')
    .set({
      name,
      time_zone,
      slots_until: at,
      next_at: state === 'active' ? nextRunOf(plan, at, at).at : null,
      paths: JSON.stringify(plan.paths),
      schedule: JSON.stringify(plan.schedule),
      keep: JSON.stringify(plan.keep),
    })
    .where('id', '=', plan.id)
    .execute()
}

/** Has plans of one cluster follow the clock of its zone. */
export async function saveZone(trx: Trx, plans: readonly BackupRow[], time_zone: string, at: Date): Promise<void> {
  for (const plan of plans.filter((each) => each.time_zone !== time_zone))
    await savePlan(trx, { ...plan, time_zone }, at)
}
