/** Where a plan begins and ends, and with it what the account may use. Under the account's lock. */
import { periodAt, periodIndexAt } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { getPrices, type PlanTerms, termsOfPlan } from '../../catalog/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { sendBillingMail } from '../mails/send-billing-mail.ts'
import type { SubscriptionItemRow, SubscriptionRow } from '../records/documents/document-tables.ts'
import { moveItemsOn } from '../records/documents/subscription-store.ts'
import { planTermsOf } from '../records/own-plan.ts'
import { scheduleUsage } from '../records/schedule-usage.ts'
import { insertPlanItem } from './plan-item.ts'

/** Items were paid for the first time: a plan among them takes the place of the one before. */
export async function beginPlans(
  deps: OrderDeps,
  trx: Trx,
  userid: string,
  items: readonly SubscriptionItemRow[],
  at: Date,
): Promise<void> {
  for (const item of items.filter(({ instance_id }) => instance_id === null)) {
    const terms = planTermsOf((await getPrices(trx, [item])).get(item.price_id))
    await endItems(trx, item.subscription_id, at, item.id)
    await trx.updateTable('subscriptions').set({ pending_level: null }).where('id', '=', item.subscription_id).execute()
    await deps.accounts.putOnPlan(trx, userid, { level: terms.level, vCpu: terms.quotas.vCpu ?? null })
    await scheduleUsageAt(deps, trx, userid, item.subscription_id, at)
    await sendBillingMail(deps, trx, { userid, kind: 'plan', key: item.id, facts: { name: terms.title, at } })
  }
}

/** Puts a plan on a lower one, whose item is charged from `at` on. */
export async function lowerPlan(
  deps: OrderDeps,
  trx: Trx,
  subscription: Pick<SubscriptionRow, 'id' | 'userid'>,
  { terms, at }: { terms: PlanTerms; at: Date },
): Promise<SubscriptionItemRow> {
  const item = await insertPlanItem(trx, subscription, terms, at)
  await moveItemsOn(trx, [item], 'paid', at)
  await beginPlans(deps, trx, subscription.userid, [item], at)
  return item
}

/** The account falls to Free. */
export async function endPlan(
  deps: OrderDeps,
  trx: Trx,
  { id, userid }: Pick<SubscriptionRow, 'id' | 'userid'>,
  at: Date,
): Promise<void> {
  await endItems(trx, id, at)
  await deps.accounts.putOnPlan(trx, userid, { level: 0, vCpu: null })
}

/** The current terms of the requested plan, or of the next lower plan that is sold; undefined means Free. */
export function findLowerTerms(
  { catalog }: Pick<OrderDeps, 'catalog'>,
  level: number,
  currency: PlanTerms['currency'],
): PlanTerms | undefined {
  return catalog
    .current()
    .plans.filter((plan) => plan.level > 0 && plan.level <= level)
    .sort((a, b) => b.level - a.level)
    .map((plan) => termsOfPlan(plan, currency))
    .find((terms) => terms !== undefined)
}

async function livingItems(trx: Trx, subscriptionId: string): Promise<SubscriptionItemRow[]> {
  return await trx
    .selectFrom('subscription_items')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('state', 'in', ['active', 'past_due'])
    .execute()
}

async function endItems(trx: Trx, subscriptionId: string, at: Date, but?: string): Promise<void> {
  const items = (await livingItems(trx, subscriptionId)).filter(({ id }) => id !== but)
  await moveItemsOn(trx, items, 'ended', at)
}

/** Schedules the bill of usage in the period that holds `at`, for the end of that period. */
async function scheduleUsageAt(deps: OrderDeps, trx: Trx, userid: string, id: string, at: Date): Promise<void> {
  const { zone } = await deps.accounts.lockLimits(trx, userid)
  const { anchor } = await trx
    .selectFrom('subscriptions')
    .select('anchor')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await scheduleUsage(trx, { userid, id }, periodAt(anchor, periodIndexAt(anchor, at, zone), zone))
}
