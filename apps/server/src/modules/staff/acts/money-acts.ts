import {
  captureAdopt,
  customerCredit,
  customerRefund,
  disputeAnswer,
  invoiceWriteOff,
  paymentResolve,
} from '@atoll/contract/staff'
import { formatMajorUnits, type Money, money } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { lockOperated } from '../../accounts/index.ts'
import {
  answerBank,
  type Billing,
  creditCustomer,
  getAdoptable,
  getAnswerable,
  getOwedBill,
  getPayment,
  getUnknownPayment,
  refundCustomer,
} from '../../billing/index.ts'
import { getCustomer } from '../holds/hold-change.ts'
import { insertMove, sumMoves } from '../stores/move-store.ts'
import { type AnyAct, type ApprovedBy, defineAct } from './act.ts'
import { recordStaff } from './record-staff.ts'

export interface MoneyActDeps {
  clock: Clock
  billing: Pick<Billing, 'keepUsageCovered' | 'writeOffBill' | 'resolvePayment' | 'adoptLost' | 'giveTimeBack'>
  config: {
    /** The most that an operator may move within a day, minor units of each currency. */
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
  const { userid: accountId } = by.caller
  // Of two concurrent acts one sees the amount of the other: using an approval locks the rows of staff.
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
  action: `support.${'credit' | 'refund' | 'writeOff' | 'adopt' | 'resolve' | 'dispute'}`,
  { owner, amount, by, facts }: { owner: string; amount: Money; by: ApprovedBy; facts: Record<string, string> },
): Promise<void> {
  const { caller, reason, approval } = by
  const sum = { amount: formatMajorUnits(amount), currency: amount.currency }
  await recordStaff(trx, action, { owner, caller, facts: { ...sum, ...facts, reason, approval } })
}

/** Credit, refunds, and money whose end is open. */
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
      async describe(trx, { paymentId, amount, way }) {
        const { userid, currency, number } = await getPayment(trx, paymentId)
        return { object: `${way} ${number}`, userid, amount: money(amount, currency) }
      },
      async perform(trx, { paymentId, amount: minor, way }, by) {
        const { userid, number: invoice } = await getPayment(trx, paymentId)
        const money = { clock: deps.clock, keepUsageCovered: deps.billing.keepUsageCovered }
        const amount = await refundCustomer(money, trx, { paymentId, minor, way, reason: by.reason })
        await countMove(deps, trx, { amount, by })
        await record(trx, 'support.refund', { owner: userid, amount, by, facts: { paymentId, invoice, way } })
        return {}
      },
    }),
    defineAct({
      act: 'writeOff',
      call: invoiceWriteOff,
      async describe(trx, { invoiceId }) {
        const { invoice, due } = await getOwedBill(trx, invoiceId)
        return { object: `invoice ${invoice.number}`, userid: invoice.userid, amount: due }
      },
      async perform(trx, { invoiceId }, by) {
        const { userid, number } = (await getOwedBill(trx, invoiceId)).invoice
        const amount = await deps.billing.writeOffBill(trx, invoiceId)
        await countMove(deps, trx, { amount, by })
        await record(trx, 'support.writeOff', { owner: userid, amount, by, facts: { invoice: number } })
        return {}
      },
    }),
    defineAct({
      act: 'adopt',
      call: captureAdopt,
      async describe(trx, { ref, accountId, way }) {
        const { lost, userid } = await getAdoptable(trx, { ref, accountId })
        return { object: `${way} ${ref}`, userid, amount: money(lost.amount_minor, lost.currency) }
      },
      async perform(trx, { ref, accountId, way }, by) {
        const { lost, userid } = await getAdoptable(trx, { ref, accountId })
        const amount = money(lost.amount_minor, lost.currency)
        await deps.billing.adoptLost(trx, { ref, accountId, goesBack: way === 'back' })
        await record(trx, 'support.adopt', { owner: userid, amount, by, facts: { ref, way } })
        return {}
      },
    }),
    defineAct({
      act: 'dispute',
      call: disputeAnswer,
      async describe(trx, { disputeId, way }) {
        const { userid, amount_minor: minor, currency } = await getAnswerable(trx, disputeId, deps.clock.now())
        return { object: `${way} ${disputeId}`, userid, amount: money(minor, currency) }
      },
      async perform(trx, { disputeId, way, text }, by) {
        const { userid, amount_minor: minor, currency } = await getAnswerable(trx, disputeId, by.now)
        await answerBank(trx, { disputeId, way, text, by: by.caller.userid, now: by.now })
        const facts = { disputeId, way }
        await record(trx, 'support.dispute', { owner: userid, amount: money(minor, currency), by, facts })
        return {}
      },
    }),
    defineAct({
      act: 'resolve',
      call: paymentResolve,
      async describe(trx, { paymentId, outcome, ref }) {
        const payment = await getUnknownPayment(trx, paymentId)
        if (outcome === 'charged' && ref === undefined && payment.gateway_ref === null) refuse('refNeeded')
        const { userid, card_minor: minor, currency } = payment
        return { object: `${outcome} ${paymentId}`, userid, amount: money(minor, currency) }
      },
      async perform(trx, { paymentId, outcome, ref }, by) {
        const { userid, card_minor: minor, currency, gateway_ref: known } = await getUnknownPayment(trx, paymentId)
        const amount = money(minor, currency)
        const charge = outcome === 'charged' ? (ref ?? known) : null
        await deps.billing.resolvePayment(trx, { paymentId, ref: charge })
        // Only the operator's word says that it was charged: it pays the invoice as credit would.
        if (charge !== null) await countMove(deps, trx, { amount, by })
        const facts = { paymentId, outcome }
        await record(trx, 'support.resolve', { owner: userid, amount, by, facts })
        return {}
      },
    }),
  ]
}
