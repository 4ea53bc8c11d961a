import { type Money, type Period, periodAt, periodIndexAt, sumMoney } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { Limits } from '../../accounts/index.ts'
import { priceUsage } from '../pricing/price-usage.ts'
import { listSoldPlans, type OwnPlan } from '../records/own-plan.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import type { PlanPeriod } from './credit-store.ts'
import { readPeriod } from './period-usage.ts'
import type { UsageDeps } from './read-usage.ts'
import type { BilledUsage } from './reading-store.ts'

/** The price of a period that is over and whose bill waits for its meters. Before any discount. */
export interface WaitingUsage extends PlanPeriod {
  /** The amount billed of it to date. */
  billed: Money
  /** The amount of it that is not billed. */
  unbilled: Money
}

/** The periods that are over and not billed yet, because their meters have not spoken for all of them. */
export async function listWaiting(
  db: Db,
  { userid, limits: { zone }, at, but }: { userid: string; limits: Limits; at: Date; but?: PlanPeriod },
): Promise<(PlanPeriod & { period: Period })[]> {
  const rows = await db
    .selectFrom('due_items')
    .innerJoin('subscriptions', (join) => join.on(sql`split_part(object, ' ', 1)`, '=', sql.ref('subscriptions.id')))
    .select(['subscriptions.id', 'anchor', 'object'])
    .where('due_items.userid', '=', userid)
    .where('due_items.kind', '=', dueKinds.usage)
    .orderBy('object')
    .execute()
  return rows.flatMap(({ id: subscriptionId, anchor, object }) => {
    const start = new Date(object.split(' ')[1] ?? '')
    const isCurrent = subscriptionId === but?.subscriptionId && start.getTime() === but.start.getTime()
    if (isCurrent || start >= at) return []
    const period = periodAt(anchor, periodIndexAt(anchor, start, zone), zone)
    return [{ subscriptionId, start: period.start, period }]
  })
}

/** The prices of these periods. `own`: the account's plan, if the caller has read it. */
export async function priceWaiting(
  deps: UsageDeps,
  db: Db,
  { userid, limits, at, own }: { userid: string; limits: Limits; at: Date; own?: OwnPlan },
  periods: readonly (PlanPeriod & { period: Period })[],
  billedOf: (period: PlanPeriod) => BilledUsage,
): Promise<WaitingUsage[]> {
  const { currency } = limits
  const waiting: WaitingUsage[] = []
  for (const { subscriptionId, start, period } of periods) {
    const known = own?.subscription?.id === subscriptionId ? own.sold : undefined
    const sold = known ?? (await listSoldPlans(db, subscriptionId))
    const billed = billedOf({ subscriptionId, start })
    const { usage } = await readPeriod(deps, db, { userid, limits, sold, period, until: at })
    const unbilled = sumMoney(
      usage.map(({ product, item }) => priceUsage({ ...item, charged: billed.of(product) }, currency).amount),
      currency,
    )
    waiting.push({ subscriptionId, start, billed: billed.total, unbilled })
  }
  return waiting
}
