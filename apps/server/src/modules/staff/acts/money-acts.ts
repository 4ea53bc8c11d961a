import { customerCredit, customerRefund } from '@atoll/contract/staff'
import { formatMajorUnits, type Money, money } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findAccountId, lockOperated } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { creditCustomer, getPayment, refundCustomer } from '../../billing/index.ts'
import { getCustomer } from '../holds/hold-change.ts'
import { insertMove, sumMoves } from '../stores/move-store.ts'
import { type AnyAct, type ApprovedBy, defineAct } from './act.ts'

export interface MoneyActDeps {
  clock: Clock
  keepUsageCovered(trx: Trx, userid: string): Promise<void>
  config: {
    /** What an operator may give and send back within a day, minor units of each currency. */
    staffMoneyPerDay: number
  }
}

const dayMs = 24 * 60 * 60_000

/** Counts what an operator moves; refuses what is above the limit of the last 24 hours. */
async function countMove(
  { config }: MoneyActDeps,
  trx: Trx,
  { amount, by }: { amount: Money; by: ApprovedBy },
): Promise<void> {
  const accountId = (await findAccountId(trx, by.caller.userid)) ?? refuse('notFound', { object: 'account' })
  // Of two acts at once one sees what the other moved: whoever uses an approval holds the rows of staff.
  const { currency, minor } = amount
  const moved = await sumMoves(trx, { accountId, currency, since: new Date(by.now.getTime() - dayMs) })
  const left = config.staffMoneyPerDay - moved
  if (minor > left) {
    const text = (sum: number) => `${formatMajorUnits(money(sum, currency))} ${currency.toUpperCase()}`
    refuse('dayLimit', { limit: text(config.staffMoneyPerDay), left: text(Math.max(left, 0)) })
  }
  await insertMove(trx, { account_id: accountId, currency, amount_minor: minor, at: by.now })
}

async function record(
  trx: Trx,
  action: 'support.credit' | 'support.refund',
  { owner, amount, by, facts }: { owner: string; amount: Money; by: ApprovedBy; facts: Record<string, string> },
): Promise<void> {
  const { caller, reason, approval } = by
  await recordAudit(trx, {
    ...{ actor: caller, ip: caller.ip, action },
    object: { kind: 'support', id: (await findAccountId(trx, owner)) ?? '', owner },
    after: { amount: formatMajorUnits(amount), currency: amount.currency, ...facts, reason, approval },
  })
}

/** Credit, and money back to a card. */
export function moneyActs(deps: MoneyActDeps): AnyAct[] {
  return [
    defineAct({
      act: 'credit',
      call: customerCredit,
      async describe(trx, { accountId, amount, kind }) {
        const userid = await getCustomer(trx, accountId)
        const { currency } = await lockOperated(trx, userid)
        return { object: kind, userid, amount: money(amount, currency) }
      },
      async perform(trx, { accountId, amount: minor, kind }, by) {
        const userid = await getCustomer(trx, accountId)
        const amount = await creditCustomer(deps, trx, { userid, minor, kind })
        await countMove(deps, trx, { amount, by })
        await record(trx, 'support.credit', { owner: userid, amount, by, facts: { kind } })
        return {}
      },
    }),
    defineAct({
      act: 'refund',
      call: customerRefund,
      async describe(trx, { paymentId, amount }) {
        const { userid, currency } = await getPayment(trx, paymentId)
        return { object: paymentId, userid, amount: money(amount, currency) }
      },
      async perform(trx, { paymentId, amount: minor }, by) {
        const { userid } = await getPayment(trx, paymentId)
        const amount = await refundCustomer(deps, trx, { paymentId, minor })
        await countMove(deps, trx, { amount, by })
        await record(trx, 'support.refund', { owner: userid, amount, by, facts: { paymentId } })
        return {}
      },
    }),
  ]
}
