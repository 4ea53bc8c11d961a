import { equalSecrets, newId, randomToken, sha256Hex } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { FileType, Right } from '../vault-tables.ts'
import { removal } from './file-removal.ts'
import { addUsage } from './usage-store.ts'

export interface NewGrant {
  repositoryId: string
  /** `write` and `prune` include everything that `read` allows (design: rights of a grant). */
  right: Right
  /** Ends together with this task; see `endGrants`. */
  taskId: string
  until: Date
  /** Files that prune may delete besides data and index; names of 64 hex characters. */
  deletes?: { snapshots?: readonly string[]; key?: string }
}

/** Inserts a grant; the token is nowhere but in the answer. */
export async function insertGrant(
  trx: Trx,
  { repositoryId, right, taskId, until, deletes = {} }: NewGrant,
  at: Date,
): Promise<{ grantId: string; token: string }> {
  if (deletes.snapshots && right !== 'prune') throw new Error('only a grant to prune takes snapshots')
  const [grantId, token] = [newId('vg'), randomToken()]
  await trx
    .insertInto('vault_grants')
    .values({
      id: grantId,
      repo_id: repositoryId,
      rights: right,
      token_hash: sha256Hex(token),
      task_id: taskId,
      until,
      delete_snapshots: JSON.stringify(deletes.snapshots ?? []),
      delete_key: deletes.key ?? null,
      created_at: at,
    })
    .execute()
  await trx
    .insertInto('vault_grant_history')
    .values({ id: grantId, repo_id: repositoryId, rights: right, task_id: taskId, created_at: at })
    .execute()
  return { grantId, token }
}

/** How long a grant lasts, by its right; ms. */
export type GrantLengths = Readonly<Record<Right, number>>

/**
 * Extends each grant of a task to its full length if less than half of that is left. One that has ended stays ended.
 */
export async function renewGrants(
  trx: Trx,
  { taskId, lengths }: { taskId: string; lengths: GrantLengths },
  at: Date,
): Promise<void> {
  const grants = await trx
    .selectFrom('vault_grants')
    .select(['id', 'rights', 'until'])
    .where('task_id', '=', taskId)
    .where('until', '>', at)
    .execute()
  for (const { id, rights, until } of grants) {
    const length = lengths[rights]
    if (until.getTime() - at.getTime() >= length / 2) continue
    const renewed = new Date(at.getTime() + length)
    await trx.updateTable('vault_grants').set({ until: renewed }).where('id', '=', id).where('until', '>', at).execute()
  }
}

/** Takes back every grant of a task, with the locks that restic left under it; none is success. */
export async function endGrants(trx: Trx, { taskId }: { taskId: string }, at: Date): Promise<void> {
  const ended = await trx.deleteFrom('vault_grants').where('task_id', '=', taskId).returning('id').execute()
  await endLocks(trx, ended, at)
}

/** Takes back every grant of a repository, with the locks under them. */
export async function endGrantsOf(trx: Trx, repositoryId: string, at: Date): Promise<void> {
  const ended = await trx.deleteFrom('vault_grants').where('repo_id', '=', repositoryId).returning('id').execute()
  await endLocks(trx, ended, at)
}

/** Requests the removal of the locks that came under these grants: nobody can use or renew them any more. */
async function endLocks(trx: Trx, grants: readonly { id: string }[], at: Date): Promise<void> {
  if (grants.length === 0) return
  const rows = await trx
    .updateTable('vault_files as f')
    .from('vault_repos as r')
    .set({ trashed_at: at, trashed_by: removal, removing_at: at })
    .whereRef('r.id', '=', 'f.repo_id')
    .where('f.type', '=', 'locks')
    .where('f.trashed_at', 'is', null)
    .where(
      'f.grant_id',
      'in',
      grants.map(({ id }) => id),
    )
    .returning(['f.bytes', 'r.owner'])
    .execute()
  for (const { owner, bytes } of rows) await addUsage(trx, owner, { liveBytes: -bytes, trashBytes: bytes })
}

/** Notes that a file under this grant was refused for want of room, and whose room that was. */
export async function noteRefused(db: Db, grantId: string, refused: 'quota' | 'disk'): Promise<void> {
  await db
    .updateTable('vault_grant_history')
    .set({ refused })
    .where('id', '=', grantId)
    .where((eb) => eb.or([eb('refused', 'is', null), eb('refused', '<>', refused)]))
    .execute()
}

/** Whose room was short when a file of this task was last refused; undefined: none was refused. */
export async function findRefused(db: Db, taskId: string): Promise<'quota' | 'disk' | undefined> {
  const row = await db
    .selectFrom('vault_grant_history')
    .select('refused')
    .where('task_id', '=', taskId)
    .where('refused', 'is not', null)
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return row?.refused ?? undefined
}

/** The grant that a caller proved to hold. */
export interface Granted {
  grantId: string
  repositoryId: string
  owner: string
  right: Right
  deletes: { snapshots: readonly string[]; key: string | null }
  /** The file that was asked for together with it, trash and all; undefined: there is none. */
  file: GrantedFile | undefined
}

export interface GrantedFile {
  bytes: number
  /** All of it, of a type that the row holds, too. */
  content: Buffer | null
  trashed: boolean
  bad: boolean
}

/** The grant that this token belongs to, and the facts about the requested file, in one query; undefined: no grant. */
export async function findGranted(
  db: Db,
  proof: { grantId: string; token: string },
  wanted: { type: FileType; name: string } | undefined,
  at: Date,
): Promise<Granted | undefined> {
  const row = await db
    .selectFrom('vault_grants as g')
    .innerJoin('vault_repos as r', 'r.id', 'g.repo_id')
    .leftJoin('vault_files as f', (join) =>
      join
        .onRef('f.repo_id', '=', 'g.repo_id')
        .on('f.type', '=', wanted?.type ?? 'config')
        .on('f.name', '=', wanted?.name ?? ''),
    )
    .select(['g.id', 'g.repo_id', 'g.rights', 'g.token_hash', 'g.delete_snapshots', 'g.delete_key', 'r.owner'])
    .select(['f.bytes', 'f.content', 'f.trashed_at', 'f.bad_at'])
    .where('g.id', '=', proof.grantId)
    .where('g.until', '>', at)
    .executeTakeFirst()
  if (!row || !equalSecrets(row.token_hash, sha256Hex(proof.token))) return undefined
  return {
    grantId: row.id,
    repositoryId: row.repo_id,
    owner: row.owner,
    right: row.rights,
    deletes: { snapshots: row.delete_snapshots, key: row.delete_key },
    file:
      row.bytes === null
        ? undefined
        : {
            bytes: row.bytes,
            content: row.content,
            trashed: row.trashed_at !== null,
            bad: row.bad_at !== null,
          },
  }
}

/** Whether the grant still holds at `at`; nobody takes it back before the transaction ends. */
export async function holdsGrant(trx: Trx, grantId: string, at: Date): Promise<boolean> {
  const row = await trx
    .selectFrom('vault_grants')
    .select('id')
    .where('id', '=', grantId)
    .where('until', '>', at)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** ms */
const historyMs = 30 * 24 * 3600_000

/** Removes the grants that ended by `at`, with the locks under them; says how many. */
export async function deleteEndedGrants(db: Db, at: Date): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const ended = await trx.deleteFrom('vault_grants').where('until', '<=', at).returning('id').execute()
    await endLocks(trx, ended, at)
    // Of a right to read nothing is left but, for a while, why it was refused.
    await trx
      .deleteFrom('vault_grant_history as h')
      .where('h.rights', '=', 'read')
      .where('h.created_at', '<=', new Date(at.getTime() - historyMs))
      .where((eb) => eb.not(eb.exists(eb.selectFrom('vault_grants as g').select('g.id').whereRef('g.id', '=', 'h.id'))))
      .execute()
    return ended.length
  })
}
