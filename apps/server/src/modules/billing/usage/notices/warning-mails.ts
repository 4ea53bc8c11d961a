/**
 * Warnings, checked each hour: usage that nears its quota or its cap, and a default card in the
 * last month that it can be charged in. Each is mailed once; what the account's clock jumps over is not.
 */
import { z } from 'zod'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { defineJob, defineTimedJob, enqueueJobs, type Job } from '../../../../platform/jobs/index.ts'
import { type Accounts, accountNow } from '../../../accounts/index.ts'
import { accountsWithCard, findDefaultCard } from '../../../payments/index.ts'
import { brandName } from '../../mails/mail-hooks.ts'
import { sendBillingMail } from '../../mails/send-billing-mail.ts'
import { findPlanSubscription } from '../../records/documents/subscription-store.ts'
import { usageCheckJob, usageCheckKey } from '../../schedule/check-usage-soon.ts'
import { enqueueAccount } from '../../schedule/due-jobs.ts'
import { isAtLimit, scheduleUsageLimit } from '../bill-usage.ts'
import { type CurrentUsage, type CurrentUsageDeps, readCurrentUsage } from '../current-usage.ts'
import { keepAsCovered } from '../keep-usage-covered.ts'
import { notifyOfUsage, type UsageNoticeDeps, usageMailKeys } from './notify-of-usage.ts'

export type WarningDeps = CurrentUsageDeps &
  UsageNoticeDeps & {
    db: Db
    accounts: Pick<Accounts, 'lockLimits' | 'getLimits'>
    /** Whether usage goes on is to be asked again. */
    onCapSet(trx: Trx, userid: string): Promise<void>
    /** Accounts that have a cluster. */
    listClusterOwners(db: Db): Promise<string[]>
  }

/** The minute of the hour at which accounts are checked. */
export const warningMinute = 29
/** Parts of the cap that are mailed, the largest first: one passed in between would say what is no longer so. */
const capPercents = [100, 80, 50]

/** Checks each account that has a cluster, a plan or a notice, set a cap or has a default card. */
export function billingWarnings({ db, listClusterOwners }: WarningDeps): Job {
  return defineTimedJob({
    name: 'billing.warnings',
    lane: 'own',
    waits: 'deadline',
    source: 'gateway',
    cron: `${warningMinute} * * * *`,
    async run() {
      const users = await listWarned(db, listClusterOwners)
      await enqueueJobs(
        db,
        usageCheckJob,
        [...users].map((userid) => ({ payload: { userid }, key: usageCheckKey(userid) })),
      )
    },
  })
}

/** The accounts that are checked each hour. */
export async function listWarned(
  db: Db,
  listClusterOwners: WarningDeps['listClusterOwners'],
): Promise<ReadonlySet<string>> {
  const capped = db.selectFrom('spend_caps').select('userid').where('amount_minor', 'is not', null)
  const noticed = db.selectFrom('usage_notices').select('userid')
  const planned = db
    .selectFrom('subscriptions')
    .select('userid')
    .where('kind', '=', 'plan')
    .where('ended_at', 'is', null)
  const rows = await capped.union(accountsWithCard(db)).union(noticed).union(planned).execute()
  return new Set([...rows.map(({ userid }) => userid), ...(await listClusterOwners(db))])
}

/** Sends an account what it has to be warned of and was not yet. */
export function billingWarnAccount(deps: WarningDeps): Job {
  return defineJob({
    name: usageCheckJob,
    lane: 'own',
    waits: 'deadline',
    source: 'gateway',
    payload: z.object({ userid: z.string() }),
    run: ({ userid }) =>
      deps.db.transaction().execute(async (trx) => {
        const limits = await deps.accounts.lockLimits(trx, userid)
        const at = accountNow(limits, deps.clock.now())
        const usage = await readCurrentUsage(deps, trx, userid)
        await warnOfUsage(deps, trx, { userid, usage, clockOffsetMs: limits.clockOffsetMs })
        await watchCredit(deps, trx, { userid, usage, at })
        await warnOfExpiry(deps, trx, userid, at)
      }),
  })
}

/** Keeps what of the period's usage was covered, and has a bill written where that is all that its means cover. */
async function watchCredit(
  deps: WarningDeps,
  trx: Trx,
  { userid, usage, at }: { userid: string; usage: CurrentUsage; at: Date },
): Promise<void> {
  const subscription = usage.means && (await findPlanSubscription(trx, userid))
  if (!subscription) return
  await keepAsCovered(trx, { userid, subscriptionId: subscription.id }, usage)
  // Edges ask again what they may serve.
  if (usage.stop) await deps.onCapSet(trx, userid)
  if (!isAtLimit(usage)) return
  await scheduleUsageLimit(trx, userid, at)
  await enqueueAccount(trx, userid)
}

/** Tells what of the plan and of the cap is used, each mark once. Under the account's lock. */
export async function warnOfUsage(
  deps: UsageNoticeDeps,
  trx: Trx,
  about: { userid: string; usage: CurrentUsage; clockOffsetMs: number },
): Promise<void> {
  const { userid, usage } = about
  await notifyOfUsage(deps, trx, about)
  const mark = capMarkOf(usage)
  if (!mark) return
  const { key, percent, cap } = mark
  await sendBillingMail(deps, trx, { userid, kind: 'cap', key, facts: { percent, used: usage.amount, cap } })
}

/** The keys of the mails that `warnOfUsage` has sent of this usage, as they are kept. */
export function warningKeys(usage: CurrentUsage): string[] {
  const mark = capMarkOf(usage)
  return [...usageMailKeys(usage), ...(mark ? [`cap ${mark.key}`] : [])]
}

function capMarkOf({ period, cap, amount: used }: CurrentUsage) {
  if (!cap || used.minor === 0) return undefined
  const percent = capPercents.find((one) => used.minor * 100 >= cap.minor * one)
  if (percent === undefined) return undefined
  // Of this cap: a raised one that is reached stops everything again.
  return { percent, cap, key: `${period.start.toISOString()} ${cap.minor} ${percent}` }
}

async function warnOfExpiry(deps: WarningDeps, trx: Trx, userid: string, at: Date): Promise<void> {
  const card = await findDefaultCard(trx, userid)
  if (card?.exp_year !== at.getUTCFullYear() || card.exp_month !== at.getUTCMonth() + 1) return
  const { last4, exp_month: month, exp_year: year } = card
  const facts = { brand: brandName(card.brand), last4, month, year }
  await sendBillingMail(deps, trx, { userid, kind: 'cardExpires', key: cardExpiryKey(card), facts })
}

/** The key under which a card's expiry is mailed once. */
export function cardExpiryKey(card: { id: string; exp_year: number; exp_month: number }): string {
  return `${card.id} ${card.exp_year}-${card.exp_month}`
}
