import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { FileKey, FileType } from '../vault-tables.ts'

/** A file that is due to be read. */
export interface DueFile extends FileKey {
  owner: string
  clusterId: string
  bytes: number
  /** The expected hash; null: unknown. */
  sha256: string | null
  isBad: boolean
}

/** Requests that a file be read soon: something about it is not as its row says. */
export async function requestScrub(db: Db, { repositoryId, type, name }: FileKey, now: Date): Promise<void> {
  await db
    .updateTable('vault_files')
    .set({ scrub_at: now })
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('name', '=', name)
    .where('scrub_at', '>', now)
    .execute()
}

/** Requests that all live files of a repository be read soon; says how many. */
export async function requestScrubOf(db: Db, repositoryId: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('vault_files')
    .set({ scrub_at: now })
    .where('repo_id', '=', repositoryId)
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Live files that have not been read since `since`, and those that are known to differ. */
export async function scrubLeft(
  db: Db,
  repositoryId: string,
  since: Date,
): Promise<{ left: number; bad: number; files: number }> {
  return await db
    .selectFrom('vault_files')
    .select([
      sql<number>`(count(*) filter (where scrubbed_at is null or scrubbed_at < ${since}))::int`.as('left'),
      sql<number>`(count(*) filter (where bad_at is not null))::int`.as('bad'),
      sql<number>`count(*)::int`.as('files'),
    ])
    .where('repo_id', '=', repositoryId)
    // Locks come and go, and hold nothing of a backup.
    .where('type', '<>', 'locks')
    .where('trashed_at', 'is', null)
    .executeTakeFirstOrThrow()
}

/**
 * Takes the live files whose time has come, the longest due first, off the list until `nextAt`: one that is not
 * reported on by then comes again.
 */
export async function takeDueFiles(
  db: Db,
  { now, nextAt, limit }: { now: Date; nextAt: Date; limit: number },
): Promise<DueFile[]> {
  const { rows } = await sql<DueFile & { type: FileType }>`
    with due as (
      select repo_id, type, name from vault_files where trashed_at is null and scrub_at <= ${now}
      order by scrub_at limit ${limit} for update skip locked
    ), taken as (
      update vault_files f set scrub_at = ${nextAt} from due
      where f.repo_id = due.repo_id and f.type = due.type and f.name = due.name
      returning f.repo_id, f.type, f.name, f.bytes, f.bad_at)
    select taken.repo_id as "repositoryId", taken.type, taken.name, taken.bytes, r.owner, r.cluster_id as "clusterId",
      case taken.type when 'config' then r.config_sha256 else taken.name end as sha256,
      taken.bad_at is not null as "isBad"
    from taken join vault_repos r on r.id = taken.repo_id`.execute(db)
  return rows
}

/** All of a live file, as its row holds it, which stays as it is until the transaction ends; null: it holds nothing. */
export async function lockContent(trx: Trx, { repositoryId, type, name }: FileKey): Promise<Buffer | null> {
  const row = await trx
    .selectFrom('vault_files')
    .select('content')
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('name', '=', name)
    .where('trashed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row?.content ?? null
}

/** Has the row of a file that came before that was done hold its bytes, too. */
export async function keepContent(trx: Trx, { repositoryId, type, name }: FileKey, content: Buffer): Promise<void> {
  await trx
    .updateTable('vault_files')
    .set({ content })
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('name', '=', name)
    .where('bytes', '=', content.length)
    .where('content', 'is', null)
    .execute()
}

/** Notes what reading a file showed; true when it was not known to be bad, and is. Trash and what is gone: nothing. */
export async function noteScrub(
  trx: Trx,
  file: DueFile,
  { isSound, now, nextAt }: { isSound: boolean; now: Date; nextAt: Date },
): Promise<boolean> {
  const before = await trx
    .selectFrom('vault_files')
    .select('bad_at')
    .where('repo_id', '=', file.repositoryId)
    .where('type', '=', file.type)
    .where('name', '=', file.name)
    .where('trashed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return false
  await trx
    .updateTable('vault_files')
    .set({ scrubbed_at: now, scrub_at: nextAt, bad_at: isSound ? null : (before.bad_at ?? now) })
    .where('repo_id', '=', file.repositoryId)
    .where('type', '=', file.type)
    .where('name', '=', file.name)
    .execute()
  return !isSound && before.bad_at === null
}
