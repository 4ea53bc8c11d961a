/**
 * Snapshots that are forgotten and taken back. A forgotten snapshot is the trash of one small file; prunes later make
 * trash of the packs that only it needed. Trash goes oldest first, so while that file is there everything that went
 * after it is there, too.
 */
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { ofReturns } from './file-removal.ts'
import { changeUsage } from './file-store.ts'
import { usageOf } from './usage-store.ts'

const hourMs = 3600_000
/** Design: bytes go 14 days after the mark. ms */
export const trashMs = 14 * 24 * hourMs
/** An undo is possible for at least this long, however much trash there is. ms */
export const crowdedMs = 24 * hourMs

/**
 * Brings a snapshot file and all packs and indexes that became trash since it did back. The caller has ended the grants
 * of what prunes. False: bytes are gone, and nothing was changed.
 */
export async function bringBackSnapshot(
  trx: Trx,
  { repositoryId, name }: { repositoryId: string; name: string },
): Promise<boolean> {
  const file = await trx
    .selectFrom('vault_files')
    .select(['trashed_at', 'removing_at'])
    .where('repo_id', '=', repositoryId)
    .where('type', '=', 'snapshots')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  if (!file || file.removing_at !== null) return false
  if (file.trashed_at === null) return true
  const since = file.trashed_at
  const rows = await trx
    .updateTable('vault_files')
    .set({ trashed_at: null, trashed_by: null })
    .where('repo_id', '=', repositoryId)
    .where('trashed_at', 'is not', null)
    .where('removing_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('type', '=', 'snapshots'), eb('name', '=', name)]),
        eb.and([
          eb('type', 'in', ['data', 'index']),
          eb('trashed_at', '>=', since),
          // A file that going back moved may be a wrong index.
          eb('trashed_by', 'not like', ofReturns),
        ]),
      ]),
    )
    .returning('bytes')
    .execute()
  await changeUsage(trx, repositoryId, rows, (bytes) => ({ liveBytes: bytes, trashBytes: -bytes }))
  return true
}

/** Bytes of trash that an account may have for more than a day; null: any amount. */
export type Quota = number | null

/**
 * Until when each of these forgotten snapshots can be taken back: 14 days, or 24 h if the account has more trash than
 * its quota allows. Later trash may shorten the time, but never below 24 h. Snapshots whose bytes are gone are left
 * out.
 */
export async function listTrashUntil(
  db: Db,
  {
    repositoryId,
    owner,
    names,
    quota,
  }: { repositoryId: string; owner: string; names: readonly string[]; quota: Quota },
): Promise<Map<string, Date>> {
  if (names.length === 0) return new Map()
  const { rows } = await sql<{ name: string; at: Date; isFirst: boolean }>`
    select t.name, t.trashed_at as at, ${goesFirst(quota)} as "isFirst" from ${await readTrash(db, owner, quota)} as t
    where t.repo_id = ${repositoryId} and t.removing_at is null and t.type = 'snapshots'
      and t.name in (${sql.join(names)})`.execute(db)
  return new Map(rows.map(({ name, at, isFirst }) => [name, untilOf(at, isFirst)]))
}

/** The same of all that `by` took of a repository, as a whole; undefined: nothing of it is left. */
export async function findTrashUntil(
  db: Db,
  { repositoryId, owner, by, quota }: { repositoryId: string; owner: string; by: string; quota: Quota },
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null; isFirst: boolean | null }>`
    select min(t.trashed_at) as at, bool_or(${goesFirst(quota)}) as "isFirst"
    from ${await readTrash(db, owner, quota)} as t
    where t.repo_id = ${repositoryId} and t.trashed_by = ${by}`.execute(db)
  const [row] = rows
  return row?.at ? untilOf(row.at, row.isFirst ?? false) : undefined
}

/** The newest trash of an account that goes after 24 h became trash then; undefined: all of it has its 14 days. */
export async function findCrowdedUpTo(db: Db, owner: string, quota: Quota): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(t.trashed_at) as at from ${await readTrash(db, owner, quota)} as t
    where ${goesFirst(quota)} and t.trashed_by not like ${ofReturns}`.execute(db)
  return rows[0]?.at ?? undefined
}

/** Until when what became trash at `at` can be taken back; `isFirst`: there is more trash than is allowed. */
export function untilOf(at: Date, isFirst: boolean): Date {
  return new Date(at.getTime() + (isFirst ? crowdedMs : trashMs))
}

const goesFirst = (quota: Quota) => (quota === null ? sql<boolean>`false` : sql<boolean>`t.newer > ${quota}::bigint`)

/** The trash of an account, with how much newer trash there is; as `requestRemovals` sums it, where it has to. */
async function readTrash(db: Db, owner: string, quota: Quota) {
  const { trashBytes } = await usageOf(db, { accountId: owner })
  const newer =
    quota !== null && trashBytes > quota
      ? sql`sum(f.bytes) filter (where f.trashed_by not like ${ofReturns})
          over (order by f.trashed_at desc, f.name desc)`
      : sql`0`
  return sql`(select f.*, ${newer} as newer from vault_files f join vault_repos r on r.id = f.repo_id
    where r.owner = ${owner} and f.trashed_at is not null)`
}
