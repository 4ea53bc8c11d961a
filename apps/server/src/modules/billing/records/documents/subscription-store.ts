import type { Period } from '@atoll/money'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { dueKinds, renewalMailMs } from '../../schedule/due-kinds.ts'
import { scheduleDue } from '../../schedule/due-store.ts'
import type { SubscriptionItemRow, SubscriptionRow } from './document-tables.ts'
import {
  isEnd,
  requireState,
  type SubscriptionEvent,
  type SubscriptionState,
  subscriptionTransitions,
} from './states.ts'
import { followStops } from './stopped-spans.ts'

export type NewSubscription = Omit<SubscriptionRow, 'state' | 'pending_level' | 'ended_at'>
export type NewSubscriptionItem = Omit<SubscriptionItemRow, 'state' | 'began_at' | 'ended_at'>

/** Sells a subscription, which renews when its first period ends; `isPaid`: with what it begins with. */
export async function insertSubscription(
  trx: Trx,
  subscription: NewSubscription,
  { isPaid = false } = {},
): Promise<SubscriptionRow> {
  const { id, userid, period_end } = subscription
  const of = { userid, object: id }
  const mailAt = new Date(period_end.getTime() - renewalMailMs)
  const mail = { ...of, kind: dueKinds.renewalMail, dueAt: mailAt }
  await scheduleDue(trx, { ...of, kind: dueKinds.renewal, dueAt: period_end }, mail)
  return await trx
    .insertInto('subscriptions')
    .values({ ...subscription, state: stateOf(isPaid), pending_level: null, ended_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function stateOf(isPaid: boolean): SubscriptionState {
  return isPaid ? requireState(subscriptionTransitions, 'unpaid', 'paid') : 'unpaid'
}

/** Items that wait to be paid, or were at `paidAt`; answers the rows in the order of the items. */
export async function insertSubscriptionItems(
  trx: Trx,
  items: readonly NewSubscriptionItem[],
  paidAt: Date | null = null,
): Promise<SubscriptionItemRow[]> {
  const rows = items.map((item) => ({ ...item, state: stateOf(paidAt !== null), began_at: paidAt, ended_at: null }))
  await trx.insertInto('subscription_items').values(rows).execute()
  return rows
}

/** The subscription of a cluster that still counts. */
export async function findClusterSubscription(db: Db, clusterId: string): Promise<SubscriptionRow | undefined> {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('state', 'not in', ['canceled', 'ended'])
    .executeTakeFirst()
}

/** The subscription of an account's plan that still counts; none on Free. */
export async function findPlanSubscription(db: Db, userid: string): Promise<SubscriptionRow | undefined> {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('userid', '=', userid)
    .where('kind', '=', 'plan')
    .where('state', 'not in', ['canceled', 'ended'])
    .executeTakeFirst()
}

export async function getSubscription(db: Db, id: string): Promise<SubscriptionRow> {
  return await db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Moves the periods of a subscription that was never paid. */
export async function moveSubscriptionTo(
  trx: Trx,
  id: string,
  { anchor, start, end }: { anchor: Date; start: Date; end: Date },
): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set({ anchor, period_start: start, period_end: end })
    .where('id', '=', id)
    .where('state', '=', 'unpaid')
    .execute()
}

/** An item with the cluster that it is sold for; null for a plan's. */
export type SoldItem = SubscriptionItemRow & { cluster_id: string | null }

export async function listItems(
  db: Db,
  by: { ids: string[] } | { instanceIds: string[] } | { subscriptionIds: string[] } | { invoiceId: string },
): Promise<SoldItem[]> {
  const rows = db
    .selectFrom('subscription_items')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_items.subscription_id')
    .selectAll('subscription_items')
    .select('cluster_id')
    .orderBy('subscription_items.id')
  if ('invoiceId' in by) {
    const sold = db.selectFrom('invoice_items').select('item_id').where('invoice_id', '=', by.invoiceId)
    return await rows.where('subscription_items.id', 'in', sold).execute()
  }
  const [column, values] =
    'ids' in by
      ? (['subscription_items.id', by.ids] as const)
      : 'instanceIds' in by
        ? (['instance_id', by.instanceIds] as const)
        : (['subscription_id', by.subscriptionIds] as const)
  if (values.length === 0) return []
  return await rows.where(column, 'in', values).execute()
}

/**
 * Moves items on, and with them the subscriptions that follow their items: each ends with the last of its own, and its
 * machines are stopped while it is past due.
 */
export async function moveItemsOn(
  trx: Trx,
  items: readonly SubscriptionItemRow[],
  event: SubscriptionEvent,
  at: Date,
): Promise<void> {
  if (items.length === 0) return
  const began = event === 'paid' && { began_at: at }
  for (const [next, moved] of Map.groupBy(items, ({ state }) => requireState(subscriptionTransitions, state, event))) {
    const ended_at = isEnd(subscriptionTransitions, next) ? at : null
    await trx
      .updateTable('subscription_items')
      .set({ state: next, ended_at, ...began })
      .where(
        'id',
        'in',
        moved.map(({ id }) => id),
      )
      .execute()
  }
  const followers = [...new Set(items.map((item) => item.subscription_id))]
  await follow(trx, followers, at)
  if (event === 'overdue' || event === 'settled' || event === 'ended') await followStops(trx, followers, at)
}

/** A subscription is the first of these that any of its items is: past due while one is, ended with the last. */
const followed: readonly SubscriptionState[] = ['past_due', 'active', 'unpaid', 'ended', 'canceled']
const ends = followed.filter((state) => isEnd(subscriptionTransitions, state))

async function follow(trx: Trx, ids: readonly string[], at: Date): Promise<void> {
  await sql`
    update subscriptions set state = followed.state, ended_at = case when followed.state = any(${ends}) then ${at}::timestamptz end
    from (
      select distinct on (subscription_id) subscription_id, state from subscription_items
      where subscription_id = any(${ids}) order by subscription_id, array_position(${followed}::text[], state)
    ) as followed
    where id = followed.subscription_id`.execute(trx)
}

/** Gives an instance's item to the instance that takes its place; nothing for one that was never sold. */
export async function giveItemTo(trx: Trx, from: string, to: string): Promise<void> {
  await trx.updateTable('subscription_items').set({ instance_id: to }).where('instance_id', '=', from).execute()
}

/** The periods that are sold now, of each subscription its own. */
export async function setPeriods(trx: Trx, periods: readonly (Period & { id: string })[]): Promise<void> {
  const [ids, starts, ends] = [
    periods.map(({ id }) => id),
    periods.map(({ start }) => start.toISOString()),
    periods.map(({ end }) => end.toISOString()),
  ]
  await sql`
    update subscriptions set period_start = sold.period_start, period_end = sold.period_end
    from unnest(${ids}::text[], ${starts}::timestamptz[], ${ends}::timestamptz[]) as sold (id, period_start, period_end)
    where subscriptions.id = sold.id`.execute(trx)
}
