/**
 * Mails that warn of what comes near, looked for each hour: usage that nears its cap, and a default card in the last
 * month that it can be charged in. Each is told once; what the account's clock jumps over is not.
 */
import { z } from 'zod'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../platform/jobs/index.ts'
import { type Accounts, accountNow } from '../../accounts/index.ts'
import { type CurrentUsageDeps, readCurrentUsage } from '../usage/current-usage.ts'
import { brandName } from './mail-hooks.ts'
import { type BillingMailDeps, sendBillingMail } from './send-billing-mail.ts'

type WarningDeps = CurrentUsageDeps & BillingMailDeps & { db: Db; accounts: Pick<Accounts, 'lockLimits' | 'getLimits'> }

const accountJob = 'billing.warnAccount'
/** Parts of the cap that are told, the largest first: one that was passed in between would say what is no longer so. */
const capPercents = [100, 80, 50]

/** Has each account looked at that set a cap or has a default card. */
export function billingWarnings({ db }: WarningDeps): Job {
  return defineJob({
    name: 'billing.warnings',
    payload: z.unknown(),
    cron: '29 * * * *',
    maxAttempts: 1, // the next run does what this one could not
    async run() {
      const capped = db.selectFrom('spend_caps').select('userid').where('amount_minor', 'is not', null)
      const carded = db.selectFrom('payment_methods').select('userid').where('is_default', '=', true)
      for (const { userid } of await capped.union(carded).execute()) {
        await enqueueJob(db, accountJob, { userid }, { key: `${accountJob}:${userid}` })
      }
    },
  })
}

/** Sends an account what it has to be warned of and was not yet. */
export function billingWarnAccount(deps: WarningDeps): Job {
  return defineJob({
    name: accountJob,
    payload: z.object({ userid: z.string() }),
    run: ({ userid }) =>
      deps.db.transaction().execute(async (trx) => {
        const at = accountNow(await deps.accounts.lockLimits(trx, userid), deps.clock.now())
        await warnOfCap(deps, trx, userid)
        await warnOfExpiry(deps, trx, userid, at)
      }),
  })
}

async function warnOfCap(deps: WarningDeps, trx: Trx, userid: string): Promise<void> {
  const { period, cap, amount: used } = await readCurrentUsage(deps, trx, userid)
  if (!cap || used.minor === 0) return
  const percent = capPercents.find((one) => used.minor * 100 >= cap.minor * one)
  if (percent === undefined) return
  const key = `${period.start.toISOString()} ${percent}`
  await sendBillingMail(deps, trx, { userid, kind: 'cap', key, facts: { percent, used, cap } })
}

async function warnOfExpiry(deps: WarningDeps, trx: Trx, userid: string, at: Date): Promise<void> {
  const card = await trx
    .selectFrom('payment_methods')
    .select(['id', 'brand', 'last4', 'exp_month', 'exp_year'])
    .where('userid', '=', userid)
    .where('is_default', '=', true)
    .executeTakeFirst()
  if (card?.exp_year !== at.getUTCFullYear() || card.exp_month !== at.getUTCMonth() + 1) return
  const { id, last4, exp_month: month, exp_year: year } = card
  const facts = { brand: brandName(card.brand), last4, month, year }
  await sendBillingMail(deps, trx, { userid, kind: 'cardExpires', key: `${id} ${year}-${month}`, facts })
}
