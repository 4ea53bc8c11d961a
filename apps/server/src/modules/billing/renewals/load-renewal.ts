import { dayInZone, startOfDay } from '@atoll/money'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { heldScopeOf, listStops, stoppedUntil } from '../../accounts/index.ts'
import { getPrices } from '../../catalog/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { readMeans } from '../pay/begin-payment.ts'
import { findLowerTerms } from '../pay/begin-plans.ts'
import { listUsable } from '../records/coupon-store.ts'
import type { Due } from '../schedule/due-runner.ts'
import { chargedFrom, type Renewable, type RenewalFacts } from './decide-renewal.ts'

/** All that decides about the renewal of a subscription that falls due, read under the account's lock. */
export async function loadRenewal(
  deps: Pick<OrderDeps, 'catalog'>,
  db: Db,
  { userid, object, dueAt, at, limits: { zone, currency, clockOffsetMs } }: Due,
): Promise<RenewalFacts> {
  const stops = await listStops(db, userid)
  const all = (await listSubscriptions(db, userid, object)).map(({ is_held: isHeld, ...subscription }): Renewable => {
    const { cluster_id: clusterId, period_end: end, pending_level: pending } = subscription
    const until = stoppedUntil(stops, { clusterId, at: new Date(end.getTime() - clockOffsetMs) })
    const freedAt = until && new Date(until.getTime() + clockOffsetMs)
    const lower = pending === null ? undefined : (findLowerTerms(deps, pending, currency) ?? null)
    return { subscription, isHeld, freedAt, lower }
  })
  const own = all.find(({ subscription }) => subscription.id === object)
  if (!own) throw new Error(`The subscription ${object} is not here.`)
  const day = dayInZone(dueAt, zone)
  const meant = all.filter(
    ({ subscription: { id, period_end } }) => id === object || dayInZone(period_end, zone) === day,
  )
  const items = await listOwnItems(
    db,
    meant.map(({ subscription }) => subscription.id),
  )
  const prices = await getPrices(db, items)
  const plans = new Set(meant.flatMap(({ subscription: { id, kind } }) => (kind === 'plan' ? [id] : [])))
  return {
    own,
    active: all.filter(({ subscription }) => subscription.state === 'active'),
    raised: new Set(
      items.flatMap(({ state, subscription_id: id }) => (state === 'unpaid' && plans.has(id) ? [id] : [])),
    ),
    items: items.flatMap(({ charged_until: chargedUntil, ...item }) => {
      const terms = prices.get(item.price_id)
      return item.state === 'active' && terms ? [{ item, terms, chargedUntil }] : []
    }),
    redemptions: await listUsable(db, userid),
    means: await readMeans(db, { userid, at: chargedFrom(own, dueAt), mayRoll: true }, currency),
    issuedToday: await countIssued(db, userid, startOfDay(at, zone)),
  }
}

/** The subscription that falls due, and all that are active; the earliest end first. */
async function listSubscriptions(db: Db, userid: string, own: string) {
  return await db
    .selectFrom('subscriptions')
    .selectAll()
    .select((from) =>
      sql<boolean>`${heldScopeOf(from.ref('subscriptions.userid'), from.ref('subscriptions.cluster_id'))} is not null`.as(
        'is_held',
      ),
    )
    .where('userid', '=', userid)
    .where(({ or, eb }) => or([eb('state', '=', 'active'), eb('id', '=', own)]))
    .orderBy('period_end')
    .orderBy('id')
    .execute()
}

/** Items that are paid or wait to be paid, and until when invoices that are not void charge them; the oldest first. */
async function listOwnItems(db: Db, subscriptions: readonly string[]) {
  return await db
    .selectFrom('subscription_items')
    .selectAll()
    .select((from) =>
      from
        .selectFrom('invoice_items')
        .innerJoin('invoices', 'invoices.id', 'invoice_items.invoice_id')
        .select(({ fn }) => fn.max('period_end').as('until'))
        .whereRef('item_id', '=', 'subscription_items.id')
        .where('invoices.state', '<>', 'void')
        .as('charged_until'),
    )
    .where('subscription_id', 'in', subscriptions)
    .where('state', 'in', ['active', 'unpaid'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The renewals written since then, and since the operator last let the account go on. */
async function countIssued(db: Db, userid: string, since: Date): Promise<number> {
  const { issued } = await db
    .selectFrom('invoices')
    .select((from) => from.fn.countAll<number>().as('issued'))
    .where('userid', '=', userid)
    .where('kind', '=', 'renewal')
    .where('issued_at', '>=', since)
    .where(
      sql<SqlBool>`recorded_at > coalesce((${db
        .selectFrom('parked_accounts')
        .select('released_at')
        .where('userid', '=', userid)}), '-infinity')`,
    )
    .executeTakeFirstOrThrow()
  return issued
}
