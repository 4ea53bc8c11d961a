import { accountUnpark, ledgerVerify, moneyShow, paymentAsk } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { enqueueJob } from '../../../platform/jobs/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findDid, listAllowing } from '../../accounts/index.ts'
import { enqueueAttempt, getUnknownPayment, unparkAccount, verifyBooksJob } from '../../billing/index.ts'
import { recordStaff } from '../acts/record-staff.ts'
import { type LookDeps, neededConsent } from '../customers/customer-look.ts'
import { hideMoney, showMoney } from '../money/show-money.ts'

export interface MoneyRouteDeps extends Pick<LookDeps, 'config'> {
  db: Db
  clock: Clock
}

/** Calls about the money of the whole deployment. */
export function moneyRoutes({ db, clock, config }: MoneyRouteDeps): Route[] {
  return [
    implement(moneyShow, async ({ currency }, { account: caller }) => {
      const money = await showMoney(db, currency, clock.now())
      const needed = neededConsent({ clock, config }, caller)
      return needed ? hideMoney(money, await listAllowing(db, needed)) : money
    }),
    implement(paymentAsk, async ({ paymentId }, { account: caller }) => {
      await db.transaction().execute(async (trx) => {
        const { userid: owner } = await getUnknownPayment(trx, paymentId)
        await enqueueAttempt(trx, paymentId)
        await recordStaff(trx, 'support.ask', { owner, caller, facts: { paymentId } })
      })
      return {}
    }),
    implement(ledgerVerify, async (_, { account: caller }) => {
      await db.transaction().execute(async (trx) => {
        await enqueueJob(trx, verifyBooksJob, {}, { key: verifyBooksJob })
        await recordStaff(trx, 'support.verify', { owner: caller.userid, caller, facts: {} })
      })
      return {}
    }),
    implement(accountUnpark, async ({ accountId }, { account: caller }) => {
      await db.transaction().execute(async (trx) => {
        if ((await findDid(trx, accountId)) === undefined) refuse('notFound', { object: 'account' })
        if (!(await unparkAccount(trx, accountId, clock.now()))) refuse('notFound', { object: 'account' })
        await recordStaff(trx, 'support.unpark', { owner: accountId, caller, facts: {} })
      })
      return {}
    }),
  ]
}
