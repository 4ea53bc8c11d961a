import { type Money, money, type Period, periodAt, periodIndexAt } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import type { Limits } from '../../accounts/index.ts'
import { priceUsage } from '../pricing/price-usage.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { readPeriod } from './period-usage.ts'
import type { UsageDeps } from './read-usage.ts'
import { readBilled } from './reading-store.ts'

/**
 * What is not billed yet of periods that are over, because their meters have not spoken for all of them. Before any
 * discount.
 */
export async function readWaiting(
  deps: UsageDeps,
  db: Db,
  {
    userid,
    limits,
    at,
    but,
  }: { userid: string; limits: Limits; at: Date; but: { subscriptionId: string; period: Period } },
): Promise<Money> {
  const rows = await db
    .selectFrom('due_items')
    .select('object')
    .where('userid', '=', userid)
    .where('kind', '=', dueKinds.usage)
    .execute()
  let total = 0
  for (const { object } of rows) {
    const [subscriptionId = '', start = ''] = object.split(' ')
    const isCurrent = subscriptionId === but.subscriptionId && start === but.period.start.toISOString()
    if (isCurrent || new Date(start) >= at) continue
    const subscription = await db
      .selectFrom('subscriptions')
      .selectAll()
      .where('id', '=', subscriptionId)
      .executeTakeFirstOrThrow()
    const { anchor } = subscription
    const period = periodAt(anchor, periodIndexAt(anchor, new Date(start), limits.zone), limits.zone)
    const billed = await readBilled(db, { subscriptionId, currency: limits.currency }, period)
    const { usage } = await readPeriod(deps, db, { userid, limits, subscription, period, until: at })
    for (const { product, item } of usage) {
      total += priceUsage({ ...item, charged: billed.of(product) }, limits.currency).amount.minor
    }
  }
  return money(total, limits.currency)
}
