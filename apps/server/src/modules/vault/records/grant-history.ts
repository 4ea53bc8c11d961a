/**
 * The changes of each grant to a repository. Grants are ordered by a counter, in the order in which they were given,
 * because a clock that is set back must not reverse it; a file stored before this was recorded is older than each of
 * them. Permanently removed files are counted by the grants that stored and took them, so that nobody goes back to an
 * incomplete repository.
 */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { FileType, Right } from '../vault-tables.ts'
import { findCrowdedUpTo, type Quota, untilOf } from './snapshot-trash.ts'

/** Grants that are listed at most, the newest. */
const mostListed = 100

export interface Amount {
  files: number
  bytes: number
}

/** The changes of one grant, and whether the repository can go back to the state before it. */
export interface GrantHistory {
  grantId: string
  right: Right
  taskId: string
  at: Date
  /** That it brought, and that it took; locks are left out. */
  stored: Amount
  taken: Amount
  /** Until when going back is possible; null: as long as nothing is taken. */
  until: Date | null
  /** Files that it and later grants took and that are permanently removed; null: none, so going back is possible. */
  gone: Amount | null
}

interface Hands extends Amount {
  /** Null: before every grant. */
  storedBy: string | null
  takenBy: string | null
  /** When the first of them was taken. */
  since: Date | null
  isGone: boolean
}

/**
 * The grants of a repository that changed something of it, the newest first. `quota`: bytes of trash that its account
 * may have for more than a day; more trash later makes `until` nearer.
 */
export async function listGrantHistory(
  db: Db,
  { repositoryId, owner, quota }: { repositoryId: string; owner: string; quota: Quota },
): Promise<GrantHistory[]> {
  const crowdedUpTo = await findCrowdedUpTo(db, owner, quota)
  const grants = await listGrants(db, repositoryId)
  const hands = await listHands(db, repositoryId)
  const changed = new Set(hands.flatMap(({ storedBy, takenBy }) => [storedBy, takenBy]))
  const ids = grants.map(({ id }) => id)
  return grants
    .filter(({ id }) => changed.has(id))
    .slice(-mostListed)
    .reverse()
    .map((grant): GrantHistory => {
      const needed = neededOf(hands, ids, grant.id)
      const times = needed.flatMap(({ since, isGone }) =>
        isGone || !since ? [] : untilOf(since, crowdedUpTo !== undefined && since <= crowdedUpTo).getTime(),
      )
      return {
        grantId: grant.id,
        right: grant.rights,
        taskId: grant.task_id,
        at: grant.created_at,
        stored: sumOf(hands.filter(({ storedBy }) => storedBy === grant.id)),
        taken: sumOf(hands.filter(({ takenBy }) => takenBy === grant.id)),
        until: times.length === 0 ? null : new Date(Math.min(...times)),
        gone: goneOf(needed),
      }
    })
}

/** The same `gone` of any grant of the repository, listed or not; `grantIds`: all that it had, the oldest first. */
export async function findGone(
  db: Db,
  repositoryId: string,
  { grantIds, grantId }: { grantIds: readonly string[]; grantId: string },
): Promise<Amount | null> {
  return goneOf(neededOf(await listHands(db, repositoryId), grantIds, grantId))
}

/** Files that were there before this grant and were taken by it or a later one. */
function neededOf(hands: readonly Hands[], grantIds: readonly string[], grantId: string): Hands[] {
  const orders = new Map(grantIds.map((id, order) => [id, order]))
  const orderOf = (id: string | null) => (id === null ? -1 : (orders.get(id) ?? -1))
  const first = orderOf(grantId)
  return hands.filter(({ storedBy, takenBy }) => orderOf(takenBy) >= first && orderOf(storedBy) < first)
}

function goneOf(needed: readonly Hands[]): Amount | null {
  const lost = needed.filter(({ isGone }) => isGone)
  return lost.length === 0 ? null : sumOf(lost)
}

function sumOf(hands: readonly Amount[]): Amount {
  const sum = (figure: keyof Amount) => hands.reduce((all, each) => all + each[figure], 0)
  return { files: sum('files'), bytes: sum('bytes') }
}

/** All grants that a repository had, the oldest first. */
export async function listGrants(db: Db, repositoryId: string) {
  return await db
    .selectFrom('vault_grant_history')
    .selectAll()
    .where('repo_id', '=', repositoryId)
    .orderBy('number')
    .execute()
}

/** Files by who stored and who took them, those whose bytes are gone or going among them. */
async function listHands(db: Db, repositoryId: string): Promise<Hands[]> {
  const { rows } = await sql<Hands>`
    select grant_id as "storedBy", trashed_by as "takenBy", count(*)::int as files, sum(bytes)::bigint as bytes,
      min(trashed_at) as since, removing_at is not null as "isGone"
    from vault_files where repo_id = ${repositoryId} and type <> 'locks' group by 1, 2, 6
    union all
    select hand ->> 'storedBy', hand ->> 'takenBy', 1, bytes, trashed_at, removing_at is not null
    from vault_files, jsonb_array_elements(past) as hand where repo_id = ${repositoryId} and past is not null
    union all
    select nullif(stored_by, ''), taken_by, files, bytes, null, true from vault_gone
    where repo_id = ${repositoryId}`.execute(db)
  return rows
}

/** A stored file and the grant that brought it. */
export interface NamedFile {
  type: FileType
  name: string
  /** Null: before that was recorded. */
  grantId: string | null
  /** When it came. */
  at: Date
}

/** At most this much of a text is searched for names. */
const mostSearched = 2000

/** The first live file of a repository whose name, or the beginning of it, stands in `text`, as restic says it. */
export async function findNamedFile(db: Db, repositoryId: string, text: string): Promise<NamedFile | undefined> {
  const names = text.slice(0, mostSearched).match(/\b[0-9a-f]{8,64}\b/g) ?? []
  for (const name of new Set(names)) {
    const row = await db
      .selectFrom('vault_files')
      .select(['type', 'name', 'grant_id as grantId', 'stored_at as at'])
      .where('repo_id', '=', repositoryId)
      .where('name', '>=', name)
      .where('name', '<', `${name}g`)
      .where('type', '<>', 'locks')
      .where('trashed_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (row) return row
  }
  return undefined
}
