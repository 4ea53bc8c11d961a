import type { AuditAction, AuditFilter, AuditKind } from '@atoll/contract/audit'
import { type Expression, type NotNull, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Tables, Trx } from '../../platform/db/index.ts'
import { nameOfDid } from '../identity/index.ts'
import type { AuditRow, NewDraft } from './audit-tables.ts'

/** Objects of which an account has one: they are named by its DID, as the account itself is (migration 0800). */
const namedByAccount: ReadonlySet<string> = new Set<AuditKind>(['plan', 'metricsToken'])

export async function insertDraft(trx: Trx, draft: NewDraft): Promise<void> {
  const { object_id: id, object_kind: kind } = draft
  await trx
    .insertInto('audit_drafts')
    .values({ ...draft, object_id: namedByAccount.has(kind) ? sql<string>`audit_did(${id})` : id })
    .execute()
}

/** The reader of the log. */
export type AuditReader = Pick<Caller, 'did' | 'role'>

/** A record with the names that its people have now. */
export type NamedRow = AuditRow & { actor_name: string | null; owner_name: string | null }

/**
 * Narrows a query of records to what `reader` may see (what it did, and what was done to what it owns; an Admin: all)
 * and to `filter`.
 */
function visible<Row>(
  query: SelectQueryBuilder<Tables, 'audit_entries', Row>,
  reader: AuditReader,
  filter: AuditFilter,
): SelectQueryBuilder<Tables, 'audit_entries', Row> {
  const { action, kind, object, actor, sessionId, from, to } = filter
  let narrowed = query
  if (reader.role !== 'Admin') {
    narrowed = narrowed.where((has) => has.or([has('owner', '=', reader.did), has('actor', '=', reader.did)]))
  }
  if (action !== undefined) narrowed = narrowed.where('action', '=', action)
  if (kind !== undefined) narrowed = narrowed.where('object_kind', '=', kind)
  if (object !== undefined) narrowed = narrowed.where('object_id', '=', object)
  if (actor !== undefined) {
    narrowed = narrowed.where('actor', '=', actor)
    // Asking for a person's records would tell a customer that it was this one of the staff.
    if (actor !== reader.did && reader.role !== 'Admin') narrowed = narrowed.where('object_kind', '<>', 'support')
  }
  if (sessionId !== undefined) narrowed = narrowed.where('session_id', '=', sessionId)
  if (from !== undefined) narrowed = narrowed.where('at', '>=', new Date(from))
  if (to !== undefined) narrowed = narrowed.where('at', '<', new Date(to))
  return narrowed
}

/** How many records there are. */
export async function countAudited(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0)::int as seq from audit_head`.execute(db)
  return rows[0]?.seq ?? 0
}

/** The query of the records of what was done to the account of `did` and what it has, the newest first. */
export function actionsOf(db: Db, did: string) {
  return db
    .selectFrom('audit_entries')
    .select(['at', 'action', 'actor', 'ip', 'object_kind', 'object_id', 'object_name', 'hash'])
    .where('owner', '=', did)
    .orderBy('seq', 'desc')
    .$narrowType<{ object_id: NotNull }>()
}

/** For a query: the newest record of what the account of this DID did; null: it did nothing yet. */
export function lastActOf(
  did: Expression<unknown>,
): RawBuilder<{ at: string; action: AuditAction; objectName: string | null } | null> {
  const name = sql`coalesce(object_name, ${nameOfDid(sql<string>`audit_entries.owner`)})`
  return sql`(select json_build_object('at', at, 'action', action, 'objectName', ${name}) from audit_entries
    where actor = ${did} order by seq desc limit 1)`
}

/** For a query: whether an account with this id was erased. */
export function isErased(accountId: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from audit_entries
    where action = 'account.erase' and object_kind = 'account' and object_id = ${accountId})`
}

export async function countRecords(db: Db, reader: AuditReader, filter: AuditFilter): Promise<number> {
  const { count } = await visible(db.selectFrom('audit_entries'), reader, filter)
    .select((from) => from.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The records that `reader` may see and `filter` matches, the newest first. */
export function recordsOf(db: Db, reader: AuditReader, filter: AuditFilter) {
  return visible(db.selectFrom('audit_entries'), reader, filter)
    .selectAll()
    .select((from) => [
      nameOfDid(sql<string>`${from.ref('actor')}`).as('actor_name'),
      nameOfDid(sql<string>`${from.ref('owner')}`).as('owner_name'),
    ])
    .orderBy('seq', 'desc')
}
