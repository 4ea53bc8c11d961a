import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'

/** Creates a repository, empty and new with each call. Its folder is created by the first write. */
export async function openRepository(
  trx: Trx,
  { accountId, clusterId }: { accountId: string; clusterId: string },
  at: Date,
): Promise<{ repositoryId: string }> {
  const repositoryId = newId('vr')
  await insertRepository(trx, { repositoryId, accountId, clusterId }, at)
  return { repositoryId }
}

/** The row of a repository of this id. */
export async function insertRepository(
  trx: Trx,
  { repositoryId, accountId, clusterId }: { repositoryId: string; accountId: string; clusterId: string },
  at: Date,
): Promise<void> {
  await trx
    .insertInto('vault_usage')
    .values({ owner: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx
    .insertInto('vault_repos')
    .values({ id: repositoryId, owner: accountId, cluster_id: clusterId, created_at: at, config_sha256: null })
    .execute()
}

/** A repository is another cluster's from now on; its account stays. */
export async function moveRepository(
  trx: Trx,
  { repositoryId, clusterId }: { repositoryId: string; clusterId: string },
): Promise<void> {
  await trx.updateTable('vault_repos').set({ cluster_id: clusterId }).where('id', '=', repositoryId).execute()
}

/** Whose a repository is; undefined: there is none. */
/** All that an account ever had. */
export async function listRepositories(db: Db, owner: string): Promise<string[]> {
  const rows = await db.selectFrom('vault_repos').select('id').where('owner', '=', owner).execute()
  return rows.map(({ id }) => id)
}

export async function findRepository(db: Db, repositoryId: string) {
  return await db.selectFrom('vault_repos').selectAll().where('id', '=', repositoryId).executeTakeFirst()
}

/**
 * Name of the key that a repository got next after the one named `after`, in trash or not, or first; undefined: there
 * is none.
 */
export async function findKey(
  db: Db,
  { repositoryId, after }: { repositoryId: string; after?: string },
): Promise<string | undefined> {
  const keys = await db
    .selectFrom('vault_files')
    .select(['name', 'trashed_at'])
    .where('repo_id', '=', repositoryId)
    .where('type', '=', 'keys')
    .orderBy('stored_at')
    .orderBy('name')
    .execute()
  const later = keys.slice(after === undefined ? 0 : keys.findIndex(({ name }) => name === after) + 1)
  return later.find(({ trashed_at }) => trashed_at === null)?.name
}
