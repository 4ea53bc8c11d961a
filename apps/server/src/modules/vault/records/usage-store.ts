/**
 * The bytes that an account holds: one row of sums over its files and uploads, which its quota is compared with.
 *   live      files that a holder of a grant can read; these are metered
 *   reserved  bytes that are being uploaded: taken by one UPDATE before the first of them, given back when they fail
 *   trash     marked files; counted only as far as they pass the quota once over
 *
 * Every change of a file changes the sums in its own transaction, after the file's row: rows are locked in one order.
 */
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { FileKey } from '../vault-tables.ts'

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
  const reserved = db
    .selectFrom('vault_uploads')
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'))
    .where('repo_id', '=', of.repositoryId)
  return await db
    .selectFrom('vault_files')
    .select([
      sql<number>`coalesce(sum(bytes) filter (where trashed_at is null), 0)::bigint`.as('liveBytes'),
      sql<number>`coalesce(sum(bytes) filter (where trashed_at is not null), 0)::bigint`.as('trashBytes'),
      reserved.as('reservedBytes'),
    ])
    .where('repo_id', '=', of.repositoryId)
    .$narrowType<{ reservedBytes: number }>()
    .executeTakeFirstOrThrow()
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

/**
 * Whether an upload is still known and its grant is valid at `at`. Waits for a removal of its file that is under way;
 * no other removal begins until the upload ends.
 */
export async function readyToKeep(
  db: Db,
  { repositoryId, type, name, uploadId, grantId }: FileKey & { uploadId: string; grantId: string },
  at: Date,
): Promise<{ isReserved: boolean; isGranted: boolean }> {
  const { rows } = await sql<{ isReserved: boolean; isGranted: boolean }>`
    with there as materialized (
      select from vault_files where repo_id = ${repositoryId} and type = ${type} and name = ${name} for update)
    select exists (select from vault_uploads where id = ${uploadId}) as "isReserved",
      exists (select from vault_grants where id = ${grantId} and until > ${at}) as "isGranted",
      (select count(*) from there) as there`.execute(db)
  return rows[0] ?? { isReserved: false, isGranted: false }
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
