import type { Db } from '../../../platform/db/index.ts'
import '../tables.ts'

const dayMs = 24 * 3600_000

/** Runs of customers' backups by their state: those under way, and those that ended within a day. */
export async function countRuns(db: Db, now: Date): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('snapshots')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', new Date(now.getTime() - dayMs))]))
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state.toLowerCase(), count]))
}

/** Backups of an account that are not gone for good. */
export async function countBackups(db: Db, owner: string): Promise<number> {
  const { count } = await db
    .selectFrom('backups')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('owner', '=', owner)
    .where('state', '<>', 'deleted')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether a backup of this account is being made or restored. */
export async function isBackupBusy(db: Db, owner: string): Promise<boolean> {
  const open = (table: 'snapshots' | 'restores') =>
    db.selectFrom(table).select('backup_id').where('owner', '=', owner).where('ended_at', 'is', null)
  return (await open('snapshots').union(open('restores')).limit(1).executeTakeFirst()) !== undefined
}

/** Whether a run of a backup of this account was ever completed. */
export async function hasBackedUp(db: Db, owner: string): Promise<boolean> {
  const query = db.selectFrom('backups').select('id').where('owner', '=', owner).where('has_repository', '=', true)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}
