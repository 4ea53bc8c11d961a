/**
 * Going back to the state before a grant: its files and those of all later grants become trash, and the other files
 * that those grants took are restored. A machine that was taken over can write a wrong index, which no limit prevents;
 * going back repairs that. It destroys nothing and can be undone: its trash is kept for its 14 days, even when room is
 * short.
 */
import { sql } from 'kysely'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { PastHand } from '../vault-tables.ts'
import { type Amount, findGone, listGrants } from './grant-history.ts'
import { endGrantsOf } from './grant-store.ts'
import { trashMs } from './snapshot-trash.ts'
import { addUsage } from './usage-store.ts'

export type WentBack =
  | { returnId: string; trashed: number; restored: number }
  /** Nothing was moved: there is no such grant, no snapshot was there before it, or this is gone for good. */
  | 'unknown'
  | 'nothingBefore'
  | { gone: Amount }

/** Takes a repository back to before a grant of it, and ends every grant of it. */
export async function goBack(
  trx: Trx,
  { repositoryId, grantId }: { repositoryId: string; grantId: string },
  at: Date,
): Promise<WentBack> {
  await sql`select from vault_repos where id = ${repositoryId} for update`.execute(trx)
  const grantIds = (await listGrants(trx, repositoryId)).map(({ id }) => id)
  const first = grantIds.indexOf(grantId)
  if (first < 0) return 'unknown'
  const later = grantIds.slice(first)
  const gone = await findGone(trx, repositoryId, { grantIds, grantId })
  if (gone) return { gone }
  const returnId = newId('vb')
  const moved = await moveFiles(trx, { repositoryId, later, returnId, at })
  if (!moved) return 'nothingBefore'
  await endGrantsOf(trx, repositoryId, at)
  await trx.insertInto('vault_returns').values({ id: returnId, repo_id: repositoryId, grant_id: grantId, at }).execute()
  return { returnId, ...moved }
}

/** The newest way back of a repository that was not undone, and until when it can be. */
export async function findReturn(
  db: Db,
  repositoryId: string,
): Promise<{ returnId: string; grantId: string; at: Date; until: Date } | undefined> {
  const row = await db
    .selectFrom('vault_returns')
    .select(['id as returnId', 'grant_id as grantId', 'at'])
    .where('repo_id', '=', repositoryId)
    .where('undone_at', 'is', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { ...row, until: new Date(row.at.getTime() + trashMs) }
}

/**
 * Brings back what the newest way back took; what that brought back stays, as newer files may need it. False: there is
 * none, or bytes of it are gone: the caller then ends its transaction with an error, and nothing was moved.
 */
export async function undoReturn(trx: Trx, repositoryId: string, at: Date): Promise<boolean> {
  await sql`select from vault_repos where id = ${repositoryId} for update`.execute(trx)
  const last = await findReturn(trx, repositoryId)
  if (!last) return false
  const rows = await trx
    .updateTable('vault_files')
    .set({ trashed_at: null, trashed_by: null })
    .where('repo_id', '=', repositoryId)
    .where('trashed_by', '=', last.returnId)
    .where('removing_at', 'is', null)
    .returning('bytes')
    .execute()
  const going = await trx
    .selectFrom('vault_files')
    .select('name')
    .where('repo_id', '=', repositoryId)
    .where('trashed_by', '=', last.returnId)
    .limit(1)
    .executeTakeFirst()
  if (going || rows.length === 0) return false
  await noteMoved(trx, repositoryId, sumOf(rows), 0)
  await trx.updateTable('vault_returns').set({ undone_at: at }).where('id', '=', last.returnId).execute()
  return true
}

interface Move {
  repositoryId: string
  later: readonly string[]
  returnId: string
  at: Date
}

/** Says how many files it moved; undefined, and the caller stops moving: no snapshot would be left. */
async function moveFiles(trx: Trx, move: Move): Promise<{ trashed: number; restored: number } | undefined> {
  const { repositoryId, later, returnId, at } = move
  const files = trx.selectFrom('vault_files').where('repo_id', '=', repositoryId).where('type', '<>', 'locks')
  const left = await files
    .select('name')
    .where('type', '=', 'snapshots')
    .where((eb) => eb.or([eb('grant_id', 'is', null), eb('grant_id', 'not in', later)]))
    .where((eb) => eb.or([eb('trashed_at', 'is', null), eb('trashed_by', 'in', later)]))
    .limit(1)
    .executeTakeFirst()
  if (!left) return undefined
  const of = trx.updateTable('vault_files').where('repo_id', '=', repositoryId).where('type', '<>', 'locks')
  const restored = await of
    .set({ trashed_at: null, trashed_by: null })
    .where('past', 'is', null)
    .where('trashed_by', 'in', later)
    .where('removing_at', 'is', null)
    .where((eb) => eb.or([eb('grant_id', 'is', null), eb('grant_id', 'not in', later)]))
    .returning('bytes')
    .execute()
  const trashed = await of
    .set({ trashed_at: at, trashed_by: returnId })
    .where('past', 'is', null)
    .where('trashed_at', 'is', null)
    .where('grant_id', 'in', later)
    .returning('bytes')
    .execute()
  const among = new Set(later)
  for (const file of await files.selectAll().where('past', 'is not', null).where('removing_at', 'is', null).execute()) {
    const isLive = file.trashed_at === null
    const hands = [...(file.past ?? []), { storedBy: file.grant_id, takenBy: file.trashed_by }]
    const wasLive = wasLiveBefore(hands, among)
    if (isLive === wasLive) continue
    await of
      .set(wasLive ? { trashed_at: null, trashed_by: null } : { trashed_at: at, trashed_by: returnId })
      .where('type', '=', file.type)
      .where('name', '=', file.name)
      .execute()
    if (wasLive) restored.push(file)
    else trashed.push(file)
  }
  await noteMoved(trx, repositoryId, sumOf(restored), sumOf(trashed))
  return { trashed: trashed.length, restored: restored.length }
}

/** Whether a file was there before the first of these grants touched it. */
export function wasLiveBefore(hands: readonly PastHand[], later: ReadonlySet<string>): boolean {
  let isLive = false
  for (const { storedBy, takenBy } of hands) {
    if (storedBy !== null && later.has(storedBy)) return isLive
    isLive = true
    if (takenBy !== null && later.has(takenBy)) return isLive
    if (takenBy !== null) isLive = false
  }
  return isLive
}

const sumOf = (rows: readonly { bytes: number }[]) => rows.reduce((sum, { bytes }) => sum + bytes, 0)

async function noteMoved(trx: Trx, repositoryId: string, restored: number, trashed: number): Promise<void> {
  const { owner } = await trx
    .selectFrom('vault_repos')
    .select('owner')
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  await addUsage(trx, owner, { liveBytes: restored - trashed, trashBytes: trashed - restored })
}
