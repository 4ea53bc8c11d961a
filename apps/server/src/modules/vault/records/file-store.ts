import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { addUsage, type VaultUsage } from './usage-store.ts'
import type { FileType } from './vault-tables.ts'

/** Whether anything was ever stored and not removed for good. */
export async function hasFiles(db: Db): Promise<boolean> {
  return (await db.selectFrom('vault_files').select('type').limit(1).executeTakeFirst()) !== undefined
}

/** Names and sizes of the live files of one type after `after`, in order of their names. */
export async function listFiles(
  db: Db,
  { repositoryId, type, after, limit }: { repositoryId: string; type: FileType; after: string; limit: number },
): Promise<{ name: string; bytes: number }[]> {
  return await db
    .selectFrom('vault_files')
    .select(['name', 'bytes'])
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('name', '>', after)
    .where('trashed_at', 'is', null)
    .orderBy('name')
    .limit(limit)
    .execute()
}

export interface SnapshotFile {
  /** 64 hex characters: the id by which restic knows the snapshot. */
  name: string
  bytes: number
  /** By our clock, when its last byte came. */
  storedAt: Date
}

/** The snapshots that are in a repository, the oldest first. */
export async function listSnapshotFiles(db: Db, repositoryId: string): Promise<SnapshotFile[]> {
  return await db
    .selectFrom('vault_files')
    .select(['name', 'bytes', 'stored_at as storedAt'])
    .where('repo_id', '=', repositoryId)
    .where('type', '=', 'snapshots')
    .where('trashed_at', 'is', null)
    .orderBy('stored_at')
    .orderBy('name')
    .execute()
}

/** Files that differ from what came: damaged, or gone. */
export async function listBadFiles(
  db: Db,
  repositoryId: string,
  limit: number,
): Promise<{ type: FileType; name: string; bytes: number; storedAt: Date }[]> {
  return await db
    .selectFrom('vault_files')
    .select(['type', 'name', 'bytes', 'stored_at as storedAt'])
    .where('repo_id', '=', repositoryId)
    .where('bad_at', 'is not', null)
    .where('trashed_at', 'is', null)
    .orderBy('type')
    .orderBy('name')
    .limit(limit)
    .execute()
}

/**
 * Marks live files as trash, taken by `by`: `names` of one type, or all that the repository has. They can be had back
 * by `restoreTrash` until their bytes are removed. Says how many; those that are trash already stay whose they are.
 */
export async function trashFiles(
  trx: Trx,
  {
    repositoryId,
    by,
    files,
  }: { repositoryId: string; by: string; files?: { type: FileType; names: readonly string[] } },
  at: Date,
): Promise<number> {
  if (files?.names.length === 0) return 0
  const rows = await trx
    .updateTable('vault_files')
    .set({ trashed_at: at, trashed_by: by })
    .where('repo_id', '=', repositoryId)
    .where('trashed_at', 'is', null)
    .$if(files !== undefined, (query) =>
      query.where('type', '=', files?.type ?? 'data').where('name', 'in', files?.names ?? []),
    )
    .returning('bytes')
    .execute()
  await changeUsage(trx, repositoryId, rows, (bytes) => ({ liveBytes: -bytes, trashBytes: bytes }))
  return rows.length
}

/**
 * Brings back all that `by` took of a repository, or whoever did. Says how many files came back, and how many are lost
 * because their bytes are being removed.
 */
export async function restoreTrash(
  trx: Trx,
  { repositoryId, by }: { repositoryId: string; by?: string },
): Promise<{ restored: number; lost: number }> {
  const rows = await trx
    .updateTable('vault_files')
    .set({ trashed_at: null, trashed_by: null })
    .where('repo_id', '=', repositoryId)
    .where('trashed_at', 'is not', null)
    .$if(by !== undefined, (query) => query.where('trashed_by', '=', by ?? ''))
    .where('removing_at', 'is', null)
    .returning('bytes')
    .execute()
  await changeUsage(trx, repositoryId, rows, (bytes) => ({ liveBytes: bytes, trashBytes: -bytes }))
  const { lost } = await trx
    .selectFrom('vault_files')
    .select(sql<number>`count(*)::int`.as('lost'))
    .where('repo_id', '=', repositoryId)
    .where('trashed_at', 'is not', null)
    .$if(by !== undefined, (query) => query.where('trashed_by', '=', by ?? ''))
    .executeTakeFirstOrThrow()
  return { restored: rows.length, lost }
}

async function changeUsage(
  trx: Trx,
  repositoryId: string,
  rows: readonly { bytes: number }[],
  change: (bytes: number) => Partial<VaultUsage>,
): Promise<void> {
  if (rows.length === 0) return
  const { owner } = await trx
    .selectFrom('vault_repos')
    .select('owner')
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  await addUsage(trx, owner, change(rows.reduce((sum, { bytes }) => sum + bytes, 0)))
}
