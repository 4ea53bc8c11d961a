import type { Trx } from '../../../platform/db/index.ts'
import type { VaultUsage } from './usage-store.ts'
import type { FileKey } from './vault-tables.ts'

/** New files are read again after so long, ms; design: within a day. */
const firstScrubMs = 60 * 60_000

/**
 * Writes the row of a file that is about to take its place, and locks it until the transaction ends. Gives what that
 * changes of the account's sums; 'exists': a sound one is there, which stays (of `config`, whatever is there stays,
 * unless it is damaged and these are its bytes).
 */
export async function keepFile(
  trx: Trx,
  { repositoryId, type, name, bytes, sha256 }: FileKey & { bytes: number; sha256: string },
  at: Date,
): Promise<'exists' | Pick<VaultUsage, 'liveBytes' | 'trashBytes'>> {
  const scrub_at = new Date(at.getTime() + firstScrubMs)
  const fresh = { bytes, stored_at: at, scrub_at, scrubbed_at: null, bad_at: null }
  const inserted = await trx
    .insertInto('vault_files')
    .values({ repo_id: repositoryId, type, name, ...fresh, trashed_at: null, trashed_by: null, removing_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst()
  if (inserted) {
    if (type === 'config') await keepConfigHash(trx, repositoryId, sha256)
    return { liveBytes: bytes, trashBytes: 0 }
  }
  const before = await trx
    .selectFrom('vault_files as f')
    .innerJoin('vault_repos as r', 'r.id', 'f.repo_id')
    .select(['f.bytes', 'f.trashed_at', 'f.bad_at', 'r.config_sha256'])
    .where('f.repo_id', '=', repositoryId)
    .where('f.type', '=', type)
    .where('f.name', '=', name)
    .forUpdate('f')
    .executeTakeFirst()
  // Removed between the two statements: the sender tries again.
  if (!before) throw new Error('a file was removed while it came anew')
  const wasTrash = before.trashed_at !== null
  if (!wasTrash && (before.bad_at === null || (type === 'config' && before.config_sha256 !== sha256))) return 'exists'
  await trx
    .updateTable('vault_files')
    .set({ ...fresh, trashed_at: null, trashed_by: null, removing_at: null })
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('name', '=', name)
    .execute()
  if (type === 'config') await keepConfigHash(trx, repositoryId, sha256)
  return wasTrash ? { liveBytes: bytes, trashBytes: -before.bytes } : { liveBytes: bytes - before.bytes, trashBytes: 0 }
}

async function keepConfigHash(trx: Trx, repositoryId: string, sha256: string): Promise<void> {
  await trx.updateTable('vault_repos').set({ config_sha256: sha256 }).where('id', '=', repositoryId).execute()
}
