/**
 * Room for an upload, reserved before its first byte. A write that only adds data needs room in the account's quota and
 * on the disk; work that frees room or reads data never waits for room: locks pass, and a prune, which writes before it
 * deletes, may exceed the quota by a limited amount. Row locks: the grant, then the account's sums.
 */
import { sql } from 'kysely'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { FileKey } from '../vault-tables.ts'

/** Bytes that one grant to prune may write where there is no room. */
export const pruneExtraBytes = 2 ** 30

/** The conditions under which a file is accepted. */
export interface RoomRule {
  /** `quota`: room in the quota; `prune`: the same, or a limited excess; `none`: accepted whatever is stored. */
  needs: 'quota' | 'prune' | 'none'
  /** It would go into what is kept free of the disk. */
  isReserve: boolean
  /** Most files of its type that the grant may bring, or of its locks have at a time; absent: any number. */
  most?: number
  /** No other file of its type may be in the repository. */
  isOnly?: boolean
}

export type Reserved = { uploadId: string } | { refused: 'overQuota' | 'diskFull' | 'tooMany' }

interface Upload extends FileKey {
  owner: string
  grantId: string
  bytes: number
  /** Name of the lease of the process that receives it. */
  holder: string
}

/** `quotaBytes`: what the account may hold; null: any amount. Trash counts from where it passes the quota once over. */
export async function reserveRoom(
  db: Db,
  upload: Upload,
  { quotaBytes, ...rule }: RoomRule & { quotaBytes: number | null },
  at: Date,
): Promise<Reserved> {
  const isPlain = rule.needs === 'quota' && rule.most === undefined && !rule.isOnly
  if (isPlain) return await takeRoom(db, upload, quotaBytes)
  return await db.transaction().execute(async (trx): Promise<Reserved> => {
    if (rule.isReserve && rule.needs === 'prune' && !(await takeReserve(trx, upload.grantId, at)))
      return { refused: 'diskFull' }
    // One upload of the account after another: what is counted below stays so until this one is counted, too.
    await sql`select from vault_usage where owner = ${upload.owner} for no key update`.execute(trx)
    if (rule.most !== undefined && (await countOf(trx, upload)) >= rule.most) return { refused: 'tooMany' }
    if (rule.isOnly && (await hasOther(trx, upload))) return { refused: 'tooMany' }
    if (rule.needs === 'none') return await takeRoom(trx, upload, null)
    const isExtra = rule.needs === 'prune' && (await writtenUnder(trx, upload)) + upload.bytes <= pruneExtraBytes
    if (rule.isReserve && !isExtra) return { refused: 'diskFull' }
    return await takeRoom(trx, upload, isExtra ? null : quotaBytes)
  })
}

/** Reserves it if the account's sums let it. */
async function takeRoom(db: Db, upload: Upload, quotaBytes: number | null): Promise<Reserved> {
  const { repositoryId, type, name, owner, grantId, bytes, holder } = upload
  const uploadId = newId('vu')
  const { rows } = await sql`
    with room as (
      update vault_usage set reserved_bytes = reserved_bytes + ${bytes}
      where owner = ${owner} and (${quotaBytes}::bigint is null
        or live_bytes + reserved_bytes + greatest(trash_bytes - ${quotaBytes}::bigint, 0) + ${bytes}
          <= ${quotaBytes}::bigint)
      returning owner)
    insert into vault_uploads (id, repo_id, owner, type, name, bytes, holder, grant_id)
    select ${uploadId}, ${repositoryId}, owner, ${type}, ${name}, ${bytes}, ${holder}, ${grantId} from room
    returning id`.execute(db)
  return rows.length > 0 ? { uploadId } : { refused: 'overQuota' }
}

/** Files of its type that came under its grant, or are on their way, but for it; of locks only those that are there. */
async function countOf(trx: Trx, { repositoryId, type, name, grantId }: Upload): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from vault_files where repo_id = ${repositoryId} and type = ${type}
        and grant_id = ${grantId} and name <> ${name} and (type <> 'locks' or trashed_at is null))
      + (select count(*) from vault_uploads where repo_id = ${repositoryId} and type = ${type}
        and grant_id = ${grantId} and name <> ${name}))::int as count`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Whether another file of its type is in the repository, or on its way. */
async function hasOther(trx: Trx, { repositoryId, type, name }: Upload): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from vault_files where repo_id = ${repositoryId} and type = ${type} and name <> ${name}
        and trashed_at is null)
      or exists (select from vault_uploads where repo_id = ${repositoryId} and type = ${type} and name <> ${name})
      as found`.execute(trx)
  return rows[0]?.found ?? false
}

/**
 * Bytes that were stored under the upload's grant or are being uploaded; those that have become trash since count, too.
 */
async function writtenUnder(trx: Trx, { repositoryId, grantId }: Upload): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select ((select coalesce(sum(bytes), 0) from vault_files where repo_id = ${repositoryId} and grant_id = ${grantId})
      + (select coalesce(sum(bytes), 0) from vault_uploads where repo_id = ${repositoryId}
        and grant_id = ${grantId}))::bigint as bytes`.execute(trx)
  return rows[0]?.bytes ?? 0
}

/** Lets this grant alone write into what is kept free of the disk, until it ends; false: another one does. */
async function takeReserve(trx: Trx, grantId: string, at: Date): Promise<boolean> {
  // Of all that ask, one after another.
  await sql`select pg_advisory_xact_lock(hashtext('vault reserve'))`.execute(trx)
  const { rows } = await sql`
    update vault_grants set reserve_at = coalesce(reserve_at, ${at}) where id = ${grantId} and not exists (
      select from vault_grants other where other.id <> ${grantId} and other.reserve_at is not null
        and other.until > ${at})
    returning id`.execute(trx)
  return rows.length > 0
}
