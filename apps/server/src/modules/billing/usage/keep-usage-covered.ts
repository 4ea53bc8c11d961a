import type { Trx } from '../../../platform/db/index.ts'
import { findPlanSubscription } from '../records/documents/subscription-store.ts'
import { keepCovered } from './credit-store.ts'
import { type CurrentUsage, type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'

/**
 * Keeps what of the running period's usage is covered now, before balance, promotional credit or the card that cover it
 * go for something else: what was served on them is owed. Without it, what was used since the check of each hour would
 * cost nothing where they are away at that minute. Under the account's lock.
 */
export async function keepUsageCovered(deps: CurrentUsageDeps, trx: Trx, userid: string): Promise<void> {
  const subscription = await findPlanSubscription(trx, userid)
  // Without a plan that is sold nothing above a quota is charged.
  if (subscription)
    await keepAsCovered(trx, { userid, subscriptionId: subscription.id }, await readCurrentUsage(deps, trx, userid))
}

/** Keeps that what `usage` costs is covered, as it was read a moment ago. */
export async function keepAsCovered(
  trx: Trx,
  of: { userid: string; subscriptionId: string },
  { means, amount, period }: CurrentUsage,
): Promise<void> {
  if (means && amount.minor > 0) await keepCovered(trx, { ...of, start: period.start }, { covered: amount.minor })
}
