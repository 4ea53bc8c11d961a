import { paymentAsk } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { enqueueAttempt, getUnknownPayment } from '../../billing/index.ts'
import { recordStaff } from '../acts/record-staff.ts'

export interface MoneyRouteDeps {
  db: Db
}

/** Calls about the money of the whole deployment. */
export function moneyRoutes({ db }: MoneyRouteDeps): Route[] {
  return [
    implement(paymentAsk, async ({ paymentId }, { account: caller }) => {
      await db.transaction().execute(async (trx) => {
        const { userid: owner } = await getUnknownPayment(trx, paymentId)
        await enqueueAttempt(trx, paymentId)
        await recordStaff(trx, 'support.ask', { owner, caller, facts: { paymentId } })
      })
      return {}
    }),
  ]
}
