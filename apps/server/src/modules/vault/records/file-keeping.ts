import type { Trx } from '../../../platform/db/index.ts'
import type { FileKey, FileType, PastHand } from '../vault-tables.ts'
import { unfinished } from './unfinished.ts'
import type { VaultUsage } from './usage-store.ts'

/** New files are read again after this time, ms; design: within a day. */
const firstScrubMs = 60 * 60_000

export interface KeptFile {
  bytes: number
  sha256: string
  /** The grant that brings it; null: it was there before anybody recorded that. */
  grantId: string | null
  /** All of it, where `isContentKept`. */
  content: Buffer | null
}

/** As long as a file whose bytes are in its row, too, may be. restic's `config` has 155 bytes, a key about 450. */
const mostContent = 1024

/**
 * Whether the row of a file of `bytes` bytes holds them, too: without these types nothing of a repository can be read.
 */
export function isContentKept(type: FileType, bytes: number): boolean {
  return (type === 'config' || type === 'keys') && bytes <= mostContent
}

/**
 * Writes the row of a file that is about to be put in its place, and locks the row until the transaction ends. Returns
 * the change of the account's sums; 'exists': a sound file is there, which stays (an existing `config` always stays,
 * unless it is damaged and these are its bytes).
 */
export async function keepFile(
  trx: Trx,
  { repositoryId, type, name, bytes, sha256, grantId, content }: FileKey & KeptFile,
  at: Date,
): Promise<'exists' | Pick<VaultUsage, 'liveBytes' | 'trashBytes'>> {
  const scrub_at = new Date(at.getTime() + firstScrubMs)
  const fresh = { bytes, stored_at: at, scrub_at, scrubbed_at: null, bad_at: null, grant_id: grantId, content }
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
    .select(['f.bytes', 'f.trashed_at', 'f.trashed_by', 'f.bad_at', 'f.grant_id', 'f.past', 'r.config_sha256'])
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
    .set({ ...fresh, ...handsOf(before, grantId), trashed_at: null, trashed_by: null, removing_at: null })
    .where('repo_id', '=', repositoryId)
    .where('type', '=', type)
    .where('name', '=', name)
    .execute()
  if (type === 'config') await keepConfigHash(trx, repositoryId, sha256)
  return wasTrash ? { liveBytes: bytes, trashBytes: -before.bytes } : { liveBytes: bytes - before.bytes, trashBytes: 0 }
}

/**
 * Through whose hands a file went that is stored again. A grant that brings back what it took itself, or mends what is
 * damaged, has changed nothing: or a machine that was taken over would pass off an old file as its own, and going back
 * to before it would take that file away.
 */
function handsOf(
  { grant_id, past, trashed_by }: { grant_id: string | null; past: PastHand[] | null; trashed_by: string | null },
  grantId: string | null,
): { grant_id: string | null; past: string | null } {
  // It never had been there.
  if (trashed_by === unfinished) return { grant_id: grantId, past: null }
  if (trashed_by === null || trashed_by === grantId) return { grant_id, past: past && JSON.stringify(past) }
  const hands = [...(past ?? []), { storedBy: grant_id, takenBy: trashed_by }]
  return { grant_id: grantId, past: JSON.stringify(hands) }
}

async function keepConfigHash(trx: Trx, repositoryId: string, sha256: string): Promise<void> {
  await trx.updateTable('vault_repos').set({ config_sha256: sha256 }).where('id', '=', repositoryId).execute()
}
