/**
 * What an account holds: one row of sums over its files and uploads, against which its quota is held.
 *   live      files that are there for whoever has a grant; this is what is metered
 *   reserved  bytes that are on their way: taken by one UPDATE before the first of them, given back when they fail
 *   trash     marked files; counted only as far as they pass the quota once over
 * Every change of a file changes the sums in its own transaction, after the file's row: rows are locked in one order.
 */
import { sql } from 'kysely'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'

export interface VaultUsage {
  liveBytes: number
  reservedBytes: number
  trashBytes: number
}

/** Bytes of an account or of one repository; nothing known is nothing held. */
export async function usageOf(db: Db, of: { accountId: string } | { repositoryId: string }): Promise<VaultUsage> {
  if ('accountId' in of) {
    const row = await db
      .selectFrom('vault_usage')
      .select(['live_bytes as liveBytes', 'reserved_bytes as reservedBytes', 'trash_bytes as trashBytes'])
      .where('owner', '=', of.accountId)
      .executeTakeFirst()
    return row ?? { liveBytes: 0, reservedBytes: 0, trashBytes: 0 }
  }
  const { rows } = await sql<VaultUsage>`
    select coalesce(sum(bytes) filter (where trashed_at is null), 0)::bigint as "liveBytes",
      coalesce(sum(bytes) filter (where trashed_at is not null), 0)::bigint as "trashBytes",
      (select coalesce(sum(bytes), 0)::bigint from vault_uploads where repo_id = ${of.repositoryId}) as "reservedBytes"
    from vault_files where repo_id = ${of.repositoryId}`.execute(db)
  return rows[0] ?? { liveBytes: 0, reservedBytes: 0, trashBytes: 0 }
}

/**
 * Reserves room for an upload; its id, or undefined: the quota (bytes; null: none) has no room for it. Trash counts
 * from where it passes the quota once over.
 */
export async function reserveRoom(
  db: Db,
  upload: { repositoryId: string; owner: string; bytes: number; holder: string; quotaBytes: number | null },
): Promise<string | undefined> {
  const { repositoryId, owner, bytes, holder, quotaBytes } = upload
  const id = newId('vu')
  const { rows } = await sql`
    with room as (
      update vault_usage set reserved_bytes = reserved_bytes + ${bytes}
      where owner = ${owner} and (${quotaBytes}::bigint is null
        or live_bytes + reserved_bytes + greatest(trash_bytes - ${quotaBytes}::bigint, 0) + ${bytes}
          <= ${quotaBytes}::bigint)
      returning owner)
    insert into vault_uploads (id, repo_id, owner, bytes, holder)
    select ${id}, ${repositoryId}, owner, ${bytes}, ${holder} from room returning id`.execute(db)
  return rows.length > 0 ? id : undefined
}

/** Ends an upload that brought nothing; its room is given back. One that is gone already is success. */
export async function giveBack(db: Db, uploadId: string): Promise<void> {
  await sql`
    with gone as (delete from vault_uploads where id = ${uploadId} returning owner, bytes)
    update vault_usage u set reserved_bytes = reserved_bytes - gone.bytes from gone where u.owner = gone.owner
  `.execute(db)
}

/** Gives back what was reserved by processes whose lease has not been renewed for `silentMs`; says for how many. */
export async function giveBackLapsed(db: Db, leaseKind: string, silentMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from vault_uploads u where not exists (
        select from leases l where l.kind = ${leaseKind} and l.name = u.holder
          and l.renewed_at > clock_timestamp() - ${silentMs} * interval '1 millisecond')
      returning owner, bytes
    ), sums as (select owner, sum(bytes) as bytes from gone group by owner
    ), given as (
      update vault_usage u set reserved_bytes = reserved_bytes - sums.bytes from sums where u.owner = sums.owner)
    select count(*)::int as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}

/** Adds to the sums of an account; made with its first repository. */
export async function addUsage(trx: Trx, owner: string, change: Partial<VaultUsage>): Promise<void> {
  const { liveBytes = 0, reservedBytes = 0, trashBytes = 0 } = change
  if (liveBytes === 0 && reservedBytes === 0 && trashBytes === 0) return
  await trx
    .updateTable('vault_usage')
    .set({
      live_bytes: sql<number>`live_bytes + ${liveBytes}`,
      reserved_bytes: sql<number>`reserved_bytes + ${reservedBytes}`,
      trash_bytes: sql<number>`trash_bytes + ${trashBytes}`,
    })
    .where('owner', '=', owner)
    .execute()
}

/** Ends an upload whose bytes are kept: its room is the caller's to account for. False: it is gone already. */
export async function endUpload(trx: Trx, uploadId: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('vault_uploads').where('id', '=', uploadId).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Which of these uploads are under way. */
export async function knownUploads(db: Db, uploadIds: readonly string[]): Promise<Set<string>> {
  if (uploadIds.length === 0) return new Set()
  const rows = await db.selectFrom('vault_uploads').select('id').where('id', 'in', uploadIds).execute()
  return new Set(rows.map(({ id }) => id))
}
