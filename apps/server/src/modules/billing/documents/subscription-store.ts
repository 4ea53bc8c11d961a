import type { Period } from '@atoll/money'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { dueKinds, renewalMailMs } from '../time/due-kinds.ts'
import { scheduleDue } from '../time/due-store.ts'
import type { SubscriptionItemRow, SubscriptionRow } from './document-tables.ts'
import { isEnd, requireState, type SubscriptionEvent, subscriptionTransitions } from './states.ts'

export type NewSubscription = Omit<SubscriptionRow, 'state' | 'pending_level' | 'ended_at'>
export type NewSubscriptionItem = Omit<SubscriptionItemRow, 'state' | 'began_at' | 'ended_at'>

/** Sells a subscription, which renews when its first period ends. */
export async function insertSubscription(trx: Trx, subscription: NewSubscription): Promise<SubscriptionRow> {
  const { id, userid, period_end } = subscription
  const of = { userid, object: id }
  const mailAt = new Date(period_end.getTime() - renewalMailMs)
  const mail = { ...of, kind: dueKinds.renewalMail, dueAt: mailAt }
  await scheduleDue(trx, { ...of, kind: dueKinds.renewal, dueAt: period_end }, mail)
  return await trx
    .insertInto('subscriptions')
    .values({ ...subscription, state: 'unpaid', pending_level: null, ended_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function insertSubscriptionItems(trx: Trx, items: readonly NewSubscriptionItem[]): Promise<void> {
  await trx
    .insertInto('subscription_items')
    .values(items.map((item) => ({ ...item, state: 'unpaid' as const, began_at: null, ended_at: null })))
    .execute()
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

/** Has the periods of a subscription that was never paid begin anew. */
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

export async function listItems(
  db: Db,
  by: { ids: string[] } | { instanceIds: string[] } | { subscriptionIds: string[] } | { invoiceId: string },
): Promise<SubscriptionItemRow[]> {
  const rows = db.selectFrom('subscription_items').selectAll().orderBy('id')
  if ('invoiceId' in by) {
    const sold = db.selectFrom('invoice_items').select('item_id').where('invoice_id', '=', by.invoiceId)
    return await rows.where('id', 'in', sold).execute()
  }
  const [column, values] =
    'ids' in by
      ? (['id', by.ids] as const)
      : 'instanceIds' in by
        ? (['instance_id', by.instanceIds] as const)
        : (['subscription_id', by.subscriptionIds] as const)
  if (values.length === 0) return []
  return await rows.where(column, 'in', values).execute()
}

/** Moves items on, and with them the subscriptions that follow their items: each ends with the last of its own. */
export async function moveItemsOn(
  trx: Trx,
  items: readonly SubscriptionItemRow[],
  event: SubscriptionEvent,
  at: Date,
): Promise<void> {
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
  for (const subscriptionId of new Set(items.map((item) => item.subscription_id))) await follow(trx, subscriptionId, at)
}

/** A subscription is what the best of its items is: past due while any is, and ended with the last. */
async function follow(trx: Trx, id: string, at: Date): Promise<void> {
  const states = (
    await trx.selectFrom('subscription_items').select('state').where('subscription_id', '=', id).execute()
  ).map(({ state }) => state)
  const order = ['past_due', 'active', 'unpaid', 'ended', 'canceled'] as const
  const state = order.find((one) => states.includes(one))
  if (state === undefined) throw new Error(`The subscription ${id} has no items`)
  const ended_at = isEnd(subscriptionTransitions, state) ? at : null
  await trx.updateTable('subscriptions').set({ state, ended_at }).where('id', '=', id).execute()
}

/** Gives an instance's item to the instance that takes its place; nothing for one that was never sold. */
export async function giveItemTo(trx: Trx, from: string, to: string): Promise<void> {
  await trx.updateTable('subscription_items').set({ instance_id: to }).where('instance_id', '=', from).execute()
}

/** The period that is sold now. */
export async function setPeriod(trx: Trx, id: string, { start, end }: Period): Promise<void> {
  await trx.updateTable('subscriptions').set({ period_start: start, period_end: end }).where('id', '=', id).execute()
}
