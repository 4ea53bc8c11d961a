import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'

/** Makes a repository, empty and new with each call. Its folder is made by whoever first writes to it. */
export async function openRepository(
  trx: Trx,
  { accountId, clusterId }: { accountId: string; clusterId: string },
  at: Date,
): Promise<{ repositoryId: string }> {
  const repositoryId = newId('vr')
  await trx
    .insertInto('vault_usage')
    .values({ owner: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx
    .insertInto('vault_repos')
    .values({ id: repositoryId, owner: accountId, cluster_id: clusterId, created_at: at, config_sha256: null })
    .execute()
  return { repositoryId }
}

/** Whose a repository is; undefined: there is none. */
export async function findRepository(db: Db, repositoryId: string) {
  return await db.selectFrom('vault_repos').selectAll().where('id', '=', repositoryId).executeTakeFirst()
}
