import { addMoney, smallerMoney, subtractMoney } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { findPlanSubscription } from '../records/documents/subscription-store.ts'
import { keepCovered } from './credit-store.ts'
import { type CurrentUsage, type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'

/**
 * Keeps what of the usage that is not billed yet is covered now, before balance, promotional credit or the card that
 * cover it go for something else: what was served on them is owed. Without it, what was used since the check of each
 * hour would cost nothing where they are away at that minute. `moment`, of the account's time: what was covered until
 * then instead, by credit that has expired since. Under the account's lock.
 */
export async function keepUsageCovered(deps: CurrentUsageDeps, trx: Trx, userid: string, moment?: Date): Promise<void> {
  const subscription = await findPlanSubscription(trx, userid)
  // Without a plan that is sold nothing above a quota is charged.
  if (subscription)
    await keepAsCovered(
      trx,
      { userid, subscriptionId: subscription.id },
      await readCurrentUsage(deps, trx, userid, moment),
    )
}

/** Keeps that what `usage` costs is covered, as it was read a moment ago: of periods that wait for their bill first. */
export async function keepAsCovered(
  trx: Trx,
  of: { userid: string; subscriptionId: string },
  { means, amount, period, waiting }: CurrentUsage,
): Promise<void> {
  if (!means) return
  let left = means.allowance
  for (const { subscriptionId, start, billed, unbilled } of waiting) {
    const paid = means.isProven ? unbilled : smallerMoney(unbilled, left)
    left = smallerMoney(subtractMoney(left, paid), left)
    const covered = addMoney(billed, paid).minor
    if (covered > 0) await keepCovered(trx, { userid: of.userid, subscriptionId, start }, { covered })
  }
  if (amount.minor > 0) await keepCovered(trx, { ...of, start: period.start }, { covered: amount.minor })
}
