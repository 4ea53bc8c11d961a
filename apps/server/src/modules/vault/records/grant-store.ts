import { equalSecrets, newId, randomToken, sha256Hex } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { FileType, Right } from './vault-tables.ts'

export interface NewGrant {
  repositoryId: string
  /** What `read` lets, `write` and `prune` let, too (design: rights of a grant). */
  right: Right
  /** Ends together with this task; see `endGrants`. */
  taskId: string
  until: Date
  /** What prune may take besides data and index; names of 64 hex characters. */
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
      ...{ id: grantId, repo_id: repositoryId, rights: right, token_hash: sha256Hex(token), task_id: taskId, until },
      ...{ delete_snapshots: JSON.stringify(deletes.snapshots ?? []), delete_key: deletes.key ?? null, created_at: at },
    })
    .execute()
  return { grantId, token }
}

/** Takes back every grant of a task; none is success. */
export async function endGrants(trx: Trx, { taskId }: { taskId: string }): Promise<void> {
  await trx.deleteFrom('vault_grants').where('task_id', '=', taskId).execute()
}

/** Takes back every grant of a repository. */
export async function endGrantsOf(trx: Trx, repositoryId: string): Promise<void> {
  await trx.deleteFrom('vault_grants').where('repo_id', '=', repositoryId).execute()
}

/** What a caller proved. */
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
  trashed: boolean
  bad: boolean
}

/** Who shows this token, and what is known of the file that they ask for, in one query; undefined: nobody. */
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
    .select(['f.bytes', 'f.trashed_at', 'f.bad_at'])
    .where('g.id', '=', proof.grantId)
    .where('g.until', '>', at)
    .executeTakeFirst()
  if (!row || !equalSecrets(row.token_hash, sha256Hex(proof.token))) return undefined
  return {
    ...{ grantId: row.id, repositoryId: row.repo_id, owner: row.owner, right: row.rights },
    deletes: { snapshots: row.delete_snapshots, key: row.delete_key },
    file:
      row.bytes === null ? undefined : { bytes: row.bytes, trashed: row.trashed_at !== null, bad: row.bad_at !== null },
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

/** Removes the grants that ended by `at`; says how many. */
export async function deleteEndedGrants(db: Db, at: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('vault_grants').where('until', '<=', at).executeTakeFirst()
  return Number(numDeletedRows)
}
