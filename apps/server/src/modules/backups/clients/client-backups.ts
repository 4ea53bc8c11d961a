/**
 * Reports of programs of personal servers about their own backups, kept as sent: they prove nothing and cost nothing.
 */
import type { backupSave, snapshotSave } from '@atoll/contract/backups'
import type { CallBody } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findAccountOfDid } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { ClientDeps } from './client-deps.ts'
import './client-tables.ts'

type None = Record<string, never>
type Action = 'backup.save' | 'backup.stop' | 'backup.delete'

/** Most backups of an account that are not deleted, and rows of one; a program in a loop fills no disk. */
const most = { backups: 200, snapshots: 5000 }
/** New snapshots of one backup within an hour. */
const mostPerHour = 60
const hourMs = 3600_000

/** The same id again changes it; one that was stopped or deleted is there again. */
export async function saveBackup(deps: ClientDeps, caller: Caller, body: CallBody<typeof backupSave>): Promise<None> {
  const { userid: owner } = caller
  return await deps.db.transaction().execute(async (trx) => {
    await deps.lockAccount(trx, owner)
    const before = await findClientBackup(trx, owner, body.backupId)
    const name = body.name === '' ? body.backupId : body.name
    const madeAt = body.backupTime === undefined ? {} : { made_at: timeOf(body.backupTime) }
    const now = deps.clock.now()
    const reported = {
      name,
      path: body.backupPath,
      location: body.backupLocation,
      state: 'saved' as const,
      kind: body.backupType === 2 ? ('app' as const) : ('files' as const),
      ...madeAt,
    }
    if (!before) {
      const { count } = await trx
        .selectFrom('client_backups')
        .select((from) => from.fn.countAll<number>().as('count'))
        .where('owner', '=', owner)
        .executeTakeFirstOrThrow()
      if (count >= most.backups) refuse('clientBackupsTooMany', { most: most.backups })
    }
    await trx
      .insertInto('client_backups')
      .values({ owner, id: body.backupId, made_at: now, ...reported, created_at: now })
      .onConflict((conflict) => conflict.columns(['owner', 'id']).doUpdateSet(reported))
      .execute()
    const isNews =
      before === undefined ||
      before.name !== reported.name ||
      before.path !== reported.path ||
      before.location !== reported.location ||
      before.state !== reported.state
    if (isNews) await auditAndPublish(trx, caller, 'backup.save', { id: body.backupId, name })
    return {}
  })
}

/** Again is success. */
export async function endBackup(
  deps: ClientDeps,
  caller: Caller,
  { backupId, as }: { backupId: string; as: 'stopped' | 'deleted' },
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await deps.lockAccount(trx, caller.userid)
    const backup = await findClientBackup(trx, caller.userid, backupId)
    if (!backup) return refuse('notFound', { object: 'backup' })
    if (backup.state === as || backup.state === 'deleted') return
    await trx
      .updateTable('client_backups')
      .set({ state: as })
      .where('owner', '=', caller.userid)
      .where('id', '=', backupId)
      .execute()
    await auditAndPublish(trx, caller, as === 'stopped' ? 'backup.stop' : 'backup.delete', {
      id: backupId,
      name: backup.name,
    })
  })
}

/**
 * Of a backup that this account saved with a token, at most `mostPerHour` new ones an hour; to everybody else, who has
 * shown no token, the backup does not exist.
 */
export async function saveSnapshot(deps: ClientDeps, body: CallBody<typeof snapshotSave>): Promise<None> {
  const { userid: did, backupId, snapshotId } = body
  return await deps.db.transaction().execute(async (trx) => {
    const owner = (await findAccountOfDid(trx, did)) ?? refuse('notFound', { object: 'backup' })
    const backup = await trx
      .selectFrom('client_backups')
      .select('id')
      .where('owner', '=', owner)
      .where('id', '=', backupId)
      .where('state', '<>', 'deleted')
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!backup) return refuse('notFound', { object: 'backup' })
    const at = deps.clock.now()
    const rows = trx.selectFrom('client_snapshots').where('owner', '=', owner).where('backup_id', '=', backupId)
    const known = await rows.select('id').where('id', '=', snapshotId).executeTakeFirst()
    if (!known) {
      const lately = new Date(at.getTime() - hourMs)
      const { all, late } = await rows
        .select((from) => [
          from.fn.countAll<number>().as('all'),
          from.fn.countAll<number>().filterWhere('created_at', '>', lately).as('late'),
        ])
        .executeTakeFirstOrThrow()
      if (late >= mostPerHour || all >= most.snapshots) refuse('tooManyRequests', { seconds: hourMs / 1000 })
    }
    const { url, cloud, region, bucket, prefix } = body
    const reported = {
      restic_id: body.resticSnapshotId,
      bytes: body.size,
      new_bytes: body.realSnapshotSize,
      ...(body.snapshotTime !== undefined && { taken_at: timeOf(body.snapshotTime) }),
      status: body.status,
      kind: body.type,
      message: body.message,
      place: JSON.stringify({ url, cloud, region, bucket, prefix }),
    }
    await trx
      .insertInto('client_snapshots')
      .values({ owner, backup_id: backupId, id: snapshotId, taken_at: at, ...reported, created_at: at })
      .onConflict((conflict) => conflict.columns(['owner', 'backup_id', 'id']).doUpdateSet(reported))
      .execute()
    await publishChange(trx, { account: owner, topic: 'backup', id: backupId })
    return {}
  })
}

async function findClientBackup(trx: Trx, owner: string, id: string) {
  return await trx
    .selectFrom('client_backups')
    .selectAll()
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst()
}

async function auditAndPublish(trx: Trx, caller: Caller, action: Action, { id, name }: { id: string; name: string }) {
  const object = { kind: 'backup', id, owner: caller.userid, name } as const
  await recordAudit(trx, { actor: caller, ip: caller.ip, action, object, before: null, after: null })
  await publishChange(trx, { account: caller.userid, topic: 'backup', id })
}

/** Seconds up to the year 5138, above that milliseconds. */
function timeOf(number: number): Date {
  return new Date(number < 100_000_000_000 ? number * 1000 : number)
}
