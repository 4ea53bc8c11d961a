import { type Money, type Period, periodAt, periodIndexAt, sumMoney } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { Limits } from '../../accounts/index.ts'
import { priceUsage } from '../pricing/price-usage.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { readPeriod } from './period-usage.ts'
import type { UsageDeps } from './read-usage.ts'
import { readBilled } from './reading-store.ts'

/** The price of a period that is over and whose bill waits for its meters. Before any discount. */
export interface WaitingUsage {
  subscriptionId: string
  start: Date
  /** The amount billed of it to date. */
  billed: Money
  /** The amount of it that is not billed. */
  unbilled: Money
}

/** The periods that are over and not billed yet, because their meters have not spoken for all of them. */
export async function listWaiting(
  deps: UsageDeps,
  db: Db,
  {
    userid,
    limits,
    at,
    but,
  }: { userid: string; limits: Limits; at: Date; but?: { subscriptionId: string; period: Period } },
): Promise<WaitingUsage[]> {
  const rows = await db
    .selectFrom('due_items')
    .innerJoin('subscriptions', (join) => join.on(sql`split_part(object, ' ', 1)`, '=', sql.ref('subscriptions.id')))
    .selectAll('subscriptions')
    .select('object')
    .where('due_items.userid', '=', userid)
    .where('due_items.kind', '=', dueKinds.usage)
    .orderBy('object')
    .execute()
  const waiting: WaitingUsage[] = []
  for (const { object, ...subscription } of rows) {
    const [, start = ''] = object.split(' ')
    const { id: subscriptionId, anchor } = subscription
    const isCurrent = subscriptionId === but?.subscriptionId && start === but.period.start.toISOString()
    if (isCurrent || new Date(start) >= at) continue
    const period = periodAt(anchor, periodIndexAt(anchor, new Date(start), limits.zone), limits.zone)
    const billed = await readBilled(db, { subscriptionId, currency: limits.currency }, period)
    const { usage } = await readPeriod(deps, db, { userid, limits, subscription, period, until: at })
    const unbilled = sumMoney(
      usage.map(({ product, item }) => priceUsage({ ...item, charged: billed.of(product) }, limits.currency).amount),
      limits.currency,
    )
    waiting.push({ subscriptionId, start: period.start, billed: billed.total, unbilled })
  }
  return waiting
}
