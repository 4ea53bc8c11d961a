import { addMoney, smallerMoney, subtractMoney } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { readOwnPlan } from '../records/own-plan.ts'
import { keepCovered } from './credit-store.ts'
import { type CurrentUsage, type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'
import { readBilled } from './reading-store.ts'
import { readUsageMeans, type UsageMeans } from './usage-means.ts'
import { listWaiting, priceWaiting, type WaitingUsage } from './waiting-usage.ts'

/**
 * Keeps what of the usage that is not billed yet is covered now, before balance, promotional credit or the card that
 * cover it go for something else: what was served on them is owed. Without it, what was used since the check of each
 * hour would cost nothing where they are away at that minute. `moment`, of the account's time: what was covered until
 * then instead, by credit that has expired since. Under the account's lock.
 */
export async function keepUsageCovered(deps: CurrentUsageDeps, trx: Trx, userid: string, moment?: Date): Promise<void> {
  const own = await readOwnPlan(trx, userid)
  if (own.subscription) {
    const usage = await readCurrentUsage(deps, trx, userid, { own, moment })
    return await keepAsCovered(trx, { userid, subscriptionId: own.subscription.id }, usage)
  }
  // Without a plan that is sold nothing above a quota is charged but what is left of the plan before.
  const limits = await deps.accounts.getLimits(trx, userid)
  const at = moment ?? accountNow(limits, deps.clock.now())
  const { currency } = limits
  const ended = await listWaiting(trx, { userid, limits, at })
  if (ended.length === 0) return
  const billedOf = await readBilled(trx, currency, ended)
  const waiting = await priceWaiting(deps, trx, { userid, limits, at }, ended, billedOf)
  await keepWaiting(trx, userid, { waiting, means: await readUsageMeans(deps, trx, { userid, currency, at }) })
}

/** Keeps that what `usage` costs is covered, as it was read a moment ago: of periods that wait for their bill first. */
export async function keepAsCovered(
  trx: Trx,
  of: { userid: string; subscriptionId: string },
  { means, amount, period, waiting }: CurrentUsage,
): Promise<void> {
  if (!means) return
  await keepWaiting(trx, of.userid, { means, waiting })
  if (amount.minor > 0) await keepCovered(trx, { ...of, start: period.start }, { covered: amount.minor })
}

async function keepWaiting(
  trx: Trx,
  userid: string,
  { means, waiting }: { means: UsageMeans; waiting: readonly WaitingUsage[] },
): Promise<void> {
  let left = means.allowance
  for (const { subscriptionId, start, billed, unbilled } of waiting) {
    const paid = means.isProven ? unbilled : smallerMoney(unbilled, left)
    left = subtractMoney(left, smallerMoney(paid, left))
    const covered = addMoney(billed, paid).minor
    if (covered > 0) await keepCovered(trx, { userid, subscriptionId, start }, { covered })
  }
}
