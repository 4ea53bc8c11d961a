/**
 * Permanent removal of bytes. The request (`removing_at`) is committed first, so an undo never restores a row without
 * its bytes. The row of a trash file is locked while its bytes are removed: an upload of the same file waits
 * (`readyToKeep`), and a file that is being uploaded again is not removed. Files that are never stored twice, such as a
 * lock of restic, need no such care.
 */
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { VaultDriver } from '../vault-driver.ts'
import type { FileKey, FileType } from '../vault-tables.ts'
import { addUsage } from './usage-store.ts'

/**
 * Pattern of `trashed_by` for files that going back took (records/go-back.ts): going back can be undone, so they stay
 * for their 14 days.
 */
export const ofReturns = 'vb\\_%'
/** Value of `trashed_by` for files that nobody would want back. */
export const removal = 'removal'
/** A removal that failed is tried again after this time, ms. */
const againMs = 3600_000
const notRemoved = 'a file of the vault could not be removed'

/**
 * Removes a file that nobody would want back, such as a lock of restic, with its row; one that is gone is success. Its
 * bytes go while no connection to the database is held; where that fails, the sweep removes them.
 */
export async function removeFile(
  driver: Pick<VaultDriver, 'remove'>,
  db: Db,
  { repositoryId, type, name, owner }: FileKey & { owner: string },
  at: Date,
): Promise<void> {
  const isMarked = await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('vault_files')
      .set({ trashed_at: at, trashed_by: removal, removing_at: at })
      .where('repo_id', '=', repositoryId)
      .where('type', '=', type)
      .where('name', '=', name)
      .where('trashed_at', 'is', null)
      .returning('bytes')
      .executeTakeFirst()
    if (row) await addUsage(trx, owner, { liveBytes: -row.bytes, trashBytes: row.bytes })
    return row !== undefined
  })
  // Asked again for one whose bytes may have stayed, as the vault or its database was gone by then.
  if (!isMarked) return await finishRemoval(driver, db, { repositoryId, type, name, owner })
  await driver.remove({ repositoryId, type, name })
  await db.transaction().execute((trx) => dropRemoved(trx, { repositoryId, type, name, owner }))
}

/**
 * Removes a lock that its store no longer has. One that cannot be read, as a bucket fails at it, stays: its client may
 * be at work.
 */
export async function removeLostLock(
  driver: Pick<VaultDriver, 'listNames' | 'remove'>,
  db: Db,
  lock: FileKey & { owner: string },
  at: Date,
): Promise<void> {
  for await (const name of driver.listNames(lock.repositoryId, 'locks')) if (name === lock.name) return
  await removeFile(driver, db, lock, at)
}

/** Completes a requested removal of one file, if there is one; not while the file is being uploaded again. */
async function finishRemoval(
  driver: Pick<VaultDriver, 'remove'>,
  db: Db,
  file: FileKey & { owner: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('vault_files')
      .select('name')
      .where('repo_id', '=', file.repositoryId)
      .where('type', '=', file.type)
      .where('name', '=', file.name)
      .where('removing_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (row) await removeLocked(driver, trx, file)
  })
}

/** The caller has locked its row; an upload that began before that, and does not wait for us, keeps its bytes. */
async function removeLocked(
  driver: Pick<VaultDriver, 'remove'>,
  trx: Trx,
  file: FileKey & { owner: string },
): Promise<void> {
  if (await isComingAnew(trx, file)) return
  await driver.remove(file)
  await dropRemoved(trx, file)
}

/**
 * The row of a file whose bytes are gone; none is success. Where a grant took it, that is counted: nobody goes back to
 * before that grant any more, except to where the file was not there yet.
 */
async function dropRemoved(trx: Trx, { repositoryId, type, name, owner }: FileKey & { owner: string }): Promise<void> {
  const row = await trx
    .deleteFrom('vault_files')
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('name', '=', name)
    .where('removing_at', 'is not', null)
    .returning(['bytes', 'grant_id', 'trashed_by', 'past'])
    .executeTakeFirst()
  if (!row) return
  await addUsage(trx, owner, { trashBytes: -row.bytes })
  if (type === 'locks') return
  for (const { storedBy, takenBy } of [...(row.past ?? []), { storedBy: row.grant_id, takenBy: row.trashed_by }]) {
    if (!takenBy?.startsWith('vg_')) continue
    await trx
      .insertInto('vault_gone')
      .values({ repo_id: repositoryId, stored_by: storedBy ?? '', taken_by: takenBy, files: 1, bytes: row.bytes })
      .onConflict((conflict) =>
        conflict.columns(['repo_id', 'stored_by', 'taken_by']).doUpdateSet({
          files: sql<number>`vault_gone.files + 1`,
          bytes: sql<number>`vault_gone.bytes + excluded.bytes`,
        }),
      )
      .execute()
  }
}

/**
 * Removes the keys of a repository that has no `config`: a kill in the middle of `init` leaves them, they open nothing,
 * and restic 0.18 makes no repository beside them. Of one whose `config` is stored, known or not, it takes none.
 */
export async function removeUnusedKeys(
  driver: Pick<VaultDriver, 'listNames' | 'remove'>,
  db: Db,
  { repositoryId, owner }: { repositoryId: string; owner: string },
  at: Date,
): Promise<void> {
  const listed = db
    .selectFrom('vault_files')
    .select('name')
    .where('repo_id', '=', repositoryId)
    .where('trashed_at', 'is', null)
  if (await listed.where('type', '=', 'config').executeTakeFirst()) return
  // By its name: one that cannot be read is there, too.
  const stored = await driver.listNames(repositoryId, 'config')[Symbol.asyncIterator]().next()
  if (!stored.done) return
  for (const { name } of await listed.where('type', '=', 'keys').execute())
    await removeFile(driver, db, { repositoryId, type: 'keys', name, owner }, at)
}

/** Locks that nobody renewed since `before`: restic makes a new one every five minutes. Says how many it removed. */
export async function removeOldLocks(
  db: Db,
  driver: Pick<VaultDriver, 'remove'>,
  { before, now, log }: { before: Date; now: Date; log: Log },
): Promise<number> {
  const rows = await db
    .selectFrom('vault_files as f')
    .innerJoin('vault_repos as r', 'r.id', 'f.repo_id')
    .select(['f.repo_id as repositoryId', 'f.type', 'f.name', 'r.owner'])
    .where('f.type', '=', 'locks')
    .where('f.trashed_at', 'is', null)
    .where('f.stored_at', '<=', before)
    .limit(1000)
    .execute()
  let removed = 0
  for (const row of rows) {
    const { repositoryId, type, name } = row
    try {
      await removeFile(driver, db, row, now)
      removed += 1
    } catch (error) {
      // Its removal is requested by now, and tried again.
      log.error({ err: error, repositoryId, type, name }, notRemoved)
    }
  }
  return removed
}

/**
 * Requests the removal of trash: what is older than `before`, and where an account has more than `allowed` says (bytes;
 * null: any amount), the oldest of it that was marked by `crowdedBefore`. At most `limit` files; says how many.
 */
export async function requestRemovals(
  db: Db,
  { before, crowdedBefore, allowed, now, limit }: RemovalRule,
): Promise<number> {
  const old = await db
    .updateTable('vault_files as f')
    .set({ removing_at: now })
    .where((eb) =>
      eb(
        sql`(f.repo_id, f.type, f.name)`,
        'in',
        sql`(select repo_id, type, name from vault_files
          where trashed_at <= ${before} and removing_at is null order by trashed_at limit ${limit}
          for update skip locked)`,
      ),
    )
    .executeTakeFirst()
  let requested = Number(old.numUpdatedRows)
  const crowded = await db.selectFrom('vault_usage').selectAll().where('trash_bytes', '>', 0).execute()
  for (const { owner, trash_bytes } of crowded) {
    const most = await allowed(owner)
    if (most === null || trash_bytes <= most) continue
    const { numAffectedRows } = await sql`
      update vault_files f set removing_at = ${now} from (
        select repo_id, type, name, trashed_at, removing_at,
          sum(bytes) over (order by trashed_at desc, name desc) as newer
        from vault_files join vault_repos r on r.id = repo_id
        where r.owner = ${owner} and trashed_at is not null and trashed_by not like ${ofReturns}) as t
      where f.repo_id = t.repo_id and f.type = t.type and f.name = t.name and t.newer > ${most}
        and f.trashed_at <= ${crowdedBefore} and f.removing_at is null`.execute(db)
    requested += Number(numAffectedRows ?? 0n)
  }
  return requested
}

/**
 * Requests the removal of the oldest trash of all accounts that was marked by `crowdedBefore`, as much as makes
 * `shortage` bytes together with what is being removed already; says how many files.
 */
export async function requestReserveRemovals(
  db: Db,
  { shortage, crowdedBefore, now }: { shortage: number; crowdedBefore: Date; now: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update vault_files f set removing_at = ${now} from (
      select repo_id, type, name, sum(bytes) over (order by trashed_at, repo_id, type, name) - bytes as older
      from vault_files where trashed_at <= ${crowdedBefore} and removing_at is null
        and trashed_by not like ${ofReturns}) as t
    where f.repo_id = t.repo_id and f.type = t.type and f.name = t.name and f.removing_at is null
      and t.older < ${shortage} - (select coalesce(sum(bytes), 0) from vault_files
        where removing_at <= ${now})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Requests the removal of all trash of a repository that nobody will want back. */
export async function requestRemovalOf(trx: Trx, repositoryId: string, now: Date): Promise<void> {
  await trx
    .updateTable('vault_files')
    .set({ removing_at: now, trashed_by: removal })
    .where('repo_id', '=', repositoryId)
    .where('trashed_at', 'is not', null)
    .execute()
}

export interface RemovalRule {
  before: Date
  crowdedBefore: Date
  allowed(owner: string): Promise<number | null>
  now: Date
  limit: number
}

/**
 * Does what was requested of one file, oldest request first. `isHeld`: what a deadline requested waits, and only what
 * nobody would want back is removed. One that the store does not remove is tried again an hour later: no other one
 * waits for it.
 */
export async function removeOne(
  db: Db,
  driver: Pick<VaultDriver, 'remove'>,
  { now, log, isHeld = false }: { now: Date; log: Log; isHeld?: boolean },
): Promise<'removed' | 'failed' | 'none'> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ repositoryId: string; type: FileType; name: string; owner: string }>`
      select f.repo_id as "repositoryId", f.type, f.name, r.owner
      from vault_files f join vault_repos r on r.id = f.repo_id
      where f.trashed_at is not null and f.removing_at <= ${now}
        and (not ${isHeld}::boolean or f.trashed_by = ${removal}) and not exists (
        select from vault_uploads u where u.repo_id = f.repo_id and u.type = f.type and u.name = f.name)
      order by f.removing_at, f.trashed_at limit 1 for update of f skip locked`.execute(trx)
    const [row] = rows
    if (!row) return 'none'
    const { repositoryId, type, name } = row
    if (await isComingAnew(trx, row)) return 'removed'
    try {
      await driver.remove(row)
    } catch (error) {
      log.error({ err: error, repositoryId, type, name }, notRemoved)
      await trx
        .updateTable('vault_files')
        .set({ removing_at: new Date(now.getTime() + againMs) })
        .where('repo_id', '=', repositoryId)
        .where('type', '=', type)
        .where('name', '=', name)
        .execute()
      return 'failed'
    }
    await dropRemoved(trx, row)
    return 'removed'
  })
}

async function isComingAnew(trx: Trx, { repositoryId, type, name }: FileKey): Promise<boolean> {
  const upload = await trx
    .selectFrom('vault_uploads')
    .select('id')
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('name', '=', name)
    .executeTakeFirst()
  return upload !== undefined
}
