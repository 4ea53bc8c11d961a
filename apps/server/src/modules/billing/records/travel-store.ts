import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { moveClockBy } from '../../accounts/index.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import './documents/document-tables.ts'
import '../schedule/due-store.ts'

interface TravelsTable {
  userid: string
  target: Date
  destroy: string[]
  stopped_before: string[] | null
}
interface ClockJumpsTable {
  userid: string
  from_at: Date
  to_at: Date
  wall_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    travels: TravelsTable
    clock_jumps: ClockJumpsTable
  }
}

export type TravelRow = Selectable<TravelsTable>

/** Sends the clock on its way, in place of where it was going before. */
export async function saveTravel(
  trx: Trx,
  { userid, target, destroy }: Omit<TravelRow, 'stopped_before'>,
): Promise<void> {
  const facts = { target, destroy, stopped_before: null }
  await trx
    .insertInto('travels')
    .values({ userid, ...facts })
    .onConflict((on) => on.column('userid').doUpdateSet(facts))
    .execute()
}

export async function findTravel(db: Db, userid: string): Promise<TravelRow | undefined> {
  return await db.selectFrom('travels').selectAll().where('userid', '=', userid).executeTakeFirst()
}

export async function stopTravel(trx: Trx, userid: string, before: string[]): Promise<void> {
  await trx.updateTable('travels').set({ stopped_before: before }).where('userid', '=', userid).execute()
}

export async function endTravel(trx: Trx, userid: string): Promise<void> {
  await trx.deleteFrom('travels').where('userid', '=', userid).execute()
}

/** Moves the clock of an account, and with it when its work is due by the wall's. Under the account's lock. */
export async function moveClock(
  trx: Trx,
  { userid, from, to, wallAt }: { userid: string; from: Date; to: Date; wallAt: Date },
): Promise<void> {
  const ms = to.getTime() - from.getTime()
  await moveClockBy(trx, userid, ms)
  await trx
    .updateTable('due_items')
    .set({ wall_at: sql<Date>`wall_at - ${ms} * interval '1 ms'` })
    .where('userid', '=', userid)
    .execute()
  await trx.insertInto('clock_jumps').values({ userid, from_at: from, to_at: to, wall_at: wallAt }).execute()
}

/** Items that waited for a payment may run again. */
export async function forgetWaits(db: Db, userid: string): Promise<void> {
  await db
    .updateTable('due_items')
    .set({ retry_at: null })
    .where('userid', '=', userid)
    .where('failures', '=', 0)
    .where('retry_at', 'is not', null)
    .execute()
}

/** Whether a card may be charged yet. */
export async function isUnsettled(db: Db, userid: string): Promise<boolean> {
  const { rows } = await sql`
    select from payments where userid = ${userid} and method_id is not null
      and (state in ('created', 'sending', 'unknown') or (state = 'needs_action' and canceling_for is not null))
    limit 1`.execute(db)
  return rows.length > 0
}

/** When clusters that are not in `but` would be given up first, and which. */
export async function findDestruction(
  db: Db,
  userid: string,
  but: readonly string[],
): Promise<{ at: Date; clusters: string[] } | undefined> {
  const rows = await db
    .selectFrom('due_items')
    .innerJoin('invoice_items', 'invoice_items.invoice_id', 'due_items.object')
    .innerJoin('subscription_items', 'subscription_items.id', 'invoice_items.item_id')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_items.subscription_id')
    .select(['due_at', 'cluster_id'])
    .distinct()
    .where('due_items.userid', '=', userid)
    .where('due_items.kind', '=', dueKinds.graceOver)
    .where('subscription_items.state', '=', 'past_due')
    .where('cluster_id', 'is not', null)
    .orderBy('due_at')
    .orderBy('cluster_id')
    .execute()
  const left = rows.flatMap(({ due_at, cluster_id: id }) => (id === null || but.includes(id) ? [] : [{ due_at, id }]))
  const at = left[0]?.due_at
  if (!at) return undefined
  return { at, clusters: left.filter(({ due_at }) => due_at.getTime() === at.getTime()).map(({ id }) => id) }
}
