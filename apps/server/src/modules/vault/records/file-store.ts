import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { FileKey, FileType } from '../vault-tables.ts'
import { ofReturns } from './file-removal.ts'
import { addUsage, type VaultUsage } from './usage-store.ts'

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
  /** No grant is known that brought it: it was found where the files are, or came before grants were recorded. */
  isFound: boolean
}

/** The snapshots that are in a repository, the oldest first. */
export async function listSnapshotFiles(db: Db, repositoryId: string): Promise<SnapshotFile[]> {
  return await db
    .selectFrom('vault_files')
    .select(['name', 'bytes', 'stored_at as storedAt', sql<boolean>`grant_id is null`.as('isFound')])
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
 * Makes trash of the live files of this type that the grant brought before this one: the run was killed before it could
 * report, and is repeated. One run makes one snapshot, as one more that nobody knows of would push out a good one.
 */
export async function trashEarlier(
  trx: Trx,
  { repositoryId, type, name, grantId }: FileKey & { grantId: string },
  at: Date,
): Promise<void> {
  const rows = await trx
    .updateTable('vault_files')
    .set({ trashed_at: at, trashed_by: grantId })
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('grant_id', '=', grantId)
    .where('name', '<>', name)
    .where('trashed_at', 'is', null)
    .returning('bytes')
    .execute()
  await changeUsage(trx, repositoryId, rows, (bytes) => ({ liveBytes: -bytes, trashBytes: bytes }))
}

/**
 * Files that going back moved (records/go-back.ts) are restored only by undoing that. A key was removed so that its
 * password opens nothing any more: it is restored only with everything that was taken together with it.
 */
function takenBy(by: string | undefined) {
  return by === undefined
    ? sql<boolean>`trashed_by not like ${ofReturns} and type <> 'keys'`
    : sql<boolean>`trashed_by = ${by}`
}

/**
 * Brings back all that `by` took of a repository, or without it all but keys that anybody took. Says how many files
 * came back, and how many are lost because their bytes are being removed.
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
    .where(takenBy(by))
    .where('removing_at', 'is', null)
    .returning('bytes')
    .execute()
  await changeUsage(trx, repositoryId, rows, (bytes) => ({ liveBytes: bytes, trashBytes: -bytes }))
  const { lost } = await trx
    .selectFrom('vault_files')
    .select(sql<number>`count(*)::int`.as('lost'))
    .where('repo_id', '=', repositoryId)
    .where('trashed_at', 'is not', null)
    .where(takenBy(by))
    .executeTakeFirstOrThrow()
  return { restored: rows.length, lost }
}

/** Adds what these rows of one repository hold to the sums of its account. */
export async function changeUsage(
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
