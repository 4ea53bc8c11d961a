import type { AttentionFact, AttentionKind, AttentionSeverity } from '@atoll/contract/staff'
import { type ColumnType, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { advisoryLockClass } from '../../../platform/db/migrations/migrate.ts'

interface AttentionItemsTable {
  kind: AttentionKind
  key: string
  severity: AttentionSeverity
  since: Date
  facts: ColumnType<Record<string, AttentionFact>, string, string>
  object: string | null
  snoozed_until: Date | null
}
export type AttentionRow = Selectable<AttentionItemsTable>

interface AttentionLooksTable {
  only_row: boolean
  looked_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    attention_items: AttentionItemsTable
    attention_looks: AttentionLooksTable
  }
}

/** Second half of the advisory lock. */
const attentionLock = 4805

/** Whether no other process looks until `trx` ends. */
export async function lockLooking(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLockClass}, ${attentionLock}) as held`.execute(trx)
  return rows[0]?.held === true
}

/** The worst first, and of those the longest. */
export async function listItems(db: Db): Promise<AttentionRow[]> {
  const query = db.selectFrom('attention_items').selectAll()
  return await query.orderBy('severity').orderBy('since').orderBy('kind').orderBy('key').execute()
}

export async function putItem(trx: Trx, row: Omit<AttentionRow, 'snoozed_until'>): Promise<void> {
  const { kind, key, ...rest } = row
  const facts = { ...rest, facts: JSON.stringify(rest.facts) }
  await trx
    .insertInto('attention_items')
    .values({ kind, key, ...facts, snoozed_until: null })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet(facts))
    .execute()
}

export async function deleteItem(trx: Trx, { kind, key }: Pick<AttentionRow, 'kind' | 'key'>): Promise<void> {
  await trx.deleteFrom('attention_items').where('kind', '=', kind).where('key', '=', key).execute()
}

/** False: there is no such item. */
export async function snoozeItem(
  trx: Trx,
  { kind, key }: Pick<AttentionRow, 'kind' | 'key'>,
  until: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('attention_items')
    .set({ snoozed_until: until })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countItems(db: Db, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('attention_items')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ or, eb }) => or([eb('snoozed_until', 'is', null), eb('snoozed_until', '<=', now)]))
    .executeTakeFirstOrThrow()
  return count
}

export async function findLookedAt(db: Db): Promise<Date | undefined> {
  return (await db.selectFrom('attention_looks').select('looked_at').executeTakeFirst())?.looked_at
}

export async function saveLookedAt(trx: Trx, at: Date): Promise<void> {
  await trx
    .insertInto('attention_looks')
    .values({ only_row: true, looked_at: at })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ looked_at: at }))
    .execute()
}
