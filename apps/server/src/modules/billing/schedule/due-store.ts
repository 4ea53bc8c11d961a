import { type Generated, type Selectable, sql } from 'kysely'
import { fellDueInStop } from '../../../platform/careful/index.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { clockOffsetOf } from '../../accounts/index.ts'
import './parked-accounts.ts'

interface DueItemsTable {
  userid: string
  kind: string
  object: string
  due_at: Date
  wall_at: Date
  retry_at: Generated<Date | null>
  failures: Generated<number>
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    due_items: DueItemsTable
  }
}

export type DueRow = Selectable<DueItemsTable>
export type DueKey = Pick<DueRow, 'userid' | 'kind' | 'object'>

/**
 * Has the runner of `kind` see to `object` at `dueAt`, time of the account; what was due of the two before moves there.
 * The caller holds the account's lock, so that its clock stands still.
 */
export async function scheduleDue(trx: Trx, ...items: readonly (DueKey & { dueAt: Date })[]): Promise<void> {
  const [users, kinds, objects] = (['userid', 'kind', 'object'] as const).map((key) => items.map((item) => item[key]))
  const times = items.map(({ dueAt }) => dueAt.toISOString())
  await sql`
    insert into due_items (userid, kind, object, due_at, wall_at)
    select userid, kind, object, due_at, due_at - ahead.ms * interval '1 ms'
    from unnest(${users}::text[], ${kinds}::text[], ${objects}::text[], ${times}::timestamptz[])
      as item (userid, kind, object, due_at)
      cross join lateral (select ${clockOffsetOf(sql.ref('item.userid'))} as ms) ahead
    where ahead.ms is not null
    on conflict (userid, kind, object) do update
      set due_at = excluded.due_at, wall_at = excluded.wall_at, retry_at = null, failures = 0`.execute(trx)
}

/** It is done, or need not be done any more. */
export async function dropDue(trx: Trx, { userid, kind, object }: DueKey): Promise<void> {
  await trx
    .deleteFrom('due_items')
    .where('userid', '=', userid)
    .where('kind', '=', kind)
    .where('object', '=', object)
    .execute()
}

/** The account's first due item. */
function dueOf(trx: Trx, { userid, kinds }: { userid: string; kinds: readonly string[] }) {
  return trx
    .selectFrom('due_items')
    .selectAll()
    .where('userid', '=', userid)
    .where('kind', 'in', kinds)
    .orderBy('due_at')
    .orderBy('kind')
    .orderBy('object')
    .limit(1)
}

const parked = sql<string>`(select parked.userid from parked_accounts parked where parked.released_at is null)`
const waitsAfterStop = fellDueInStop(sql.ref<Date>('due_items.wall_at'))

/** The account's first due item that may run at `now`, wall-clock time; none of an account that is parked. */
export async function findNextDue(
  trx: Trx,
  { now, ...of }: { userid: string; kinds: readonly string[]; now: Date },
): Promise<DueRow | undefined> {
  return await dueOf(trx, of)
    .where('wall_at', '<=', now)
    .where(({ not }) => not(waitsAfterStop))
    .where(({ or, eb }) => or([eb('retry_at', 'is', null), eb('retry_at', '<=', now)]))
    .where('userid', 'not in', parked)
    .executeTakeFirst()
}

/** The account's first due item, whenever it is due; without those named `kind object` in `but`. */
export async function findFirstDue(
  trx: Trx,
  { but = [], ...of }: { userid: string; kinds: readonly string[]; but?: readonly string[] },
): Promise<DueRow | undefined> {
  return await dueOf(trx, of)
    .where(sql<string>`kind || ' ' || object`, '<>', sql<string>`all(${[...but]}::text[])`)
    .executeTakeFirst()
}

/** All that is due of the account, in the order in which it runs. */
export async function listDue(db: Db, userid: string): Promise<DueRow[]> {
  const due = db.selectFrom('due_items').selectAll().where('userid', '=', userid)
  return await due.orderBy('due_at').orderBy('kind').orderBy('object').execute()
}

/** The account's first item that is due later than `after`, time of the account. */
export async function findFirstDueAfter(
  trx: Trx,
  { after, ...of }: { userid: string; kinds: readonly string[]; after: Date },
): Promise<DueRow | undefined> {
  return await dueOf(trx, of).where('due_at', '>', after).executeTakeFirst()
}

/** Accounts of which something may run at `now`, the wall's clock. */
export async function listDueAccounts(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('due_items')
    .select('userid')
    .distinct()
    .where('wall_at', '<=', now)
    .where(({ or, eb }) => or([eb('retry_at', 'is', null), eb('retry_at', '<=', now)]))
    .where(({ not }) => not(waitsAfterStop))
    .where('userid', 'not in', parked)
    .orderBy('userid')
    .execute()
  return rows.map(({ userid }) => userid)
}

/** Leaves an item as it is until `retryAt`, the wall's clock. */
export async function retryDue(
  db: Db | Trx,
  { userid, kind, object }: DueKey,
  { retryAt, failures }: { retryAt: Date; failures: number },
): Promise<void> {
  await db
    .updateTable('due_items')
    .set({ retry_at: retryAt, failures })
    .where('userid', '=', userid)
    .where('kind', '=', kind)
    .where('object', '=', object)
    .execute()
}
