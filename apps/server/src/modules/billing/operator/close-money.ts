/** The money of an account that closes: what keeps it open, what its owner is told, and the payout at the end. */
import { type Currency, money } from '@atoll/money'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { lockOperated, moneyFactsOf } from '../../accounts/index.ts'
import { getBalance, postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { endPlan } from '../pay/begin-plans.ts'
import { orderCardRefund } from '../pay/order-card-refund.ts'
import { hasOpenDispute, readSpendable } from '../records/dispute-store.ts'
import { findPlanSubscription } from '../records/documents/subscription-store.ts'
import { billBeforeLastCard } from '../renewals/before-last-card.ts'
import { estimateRefundOf, type RefundDeps } from '../sell/estimate-refund.ts'
import { listPaidPayments, owedOf } from './customer-figures.ts'
import { giveTimeBack } from './give-time-back.ts'
import { splitPayout } from './split-payout.ts'

/** All that an account paid by card; far more than anybody has. */
const allPayments = 100_000

/** Minor units. */
interface ClosingMoney {
  currency: Currency
  balance: number
  /** Of what was paid ahead for machines. */
  unused: number
  toCard: number
  givenUp: number
  promo: number
}

/** Refuses what has to be settled before the account can close. */
export async function refuseUnsettled(trx: Trx, userid: string): Promise<void> {
  const { rows } = await sql<{ owed: number }>`select ${owedOf(sql`${userid}`)} as owed`.execute(trx)
  if (Number(rows[0]?.owed ?? 0) > 0) refuse('closeOwed')
  if (await hasOpenDispute(trx, userid)) refuse('closeDisputed')
}

/**
 * Money that comes back when an account ends that closed at `since`, wall time, with these clusters: their time since
 * then is given back, whenever it is asked.
 */
export async function quoteClosing(
  deps: RefundDeps,
  userid: string,
  { clusterIds, since }: { clusterIds: readonly string[]; since: Date },
): Promise<ClosingMoney> {
  const { db } = deps
  const { currency } = await deps.accounts.getLimits(db, userid)
  const then = { ...deps, clock: { now: () => since } }
  let unused = 0
  for (const clusterId of clusterIds) {
    const instances = await deps.listOwnInstances(db, userid, clusterId)
    if (instances && instances.length > 0)
      unused += (await estimateRefundOf(then, userid, { clusterId })).refund.toBalance.minor
  }
  const balance = Math.max(0, -(await readSpendable(db, userid, currency)).minor)
  const promo = Math.max(0, -(await getBalance(db, userid, 'promo', currency)).minor)
  const { givenUp } = splitPayout(balance + unused, await listRefundable(db, userid))
  return { currency, balance, unused, toCard: balance + unused - givenUp, givenUp, promo }
}

/** A card that declined its refund takes none: what it paid is given up. */
async function listRefundable(db: Db, userid: string) {
  const payments = await listPaidPayments(db, userid, allPayments)
  const declined = await db
    .selectFrom('card_refunds')
    .select('payment_id')
    .where('userid', '=', userid)
    .where('state', 'in', ['declined', 'returned'])
    .execute()
  const dead = new Set(declined.map(({ payment_id }) => payment_id))
  return payments.flatMap(({ id, to_card }) => (dead.has(id) ? [] : [{ id, toCard: Number(to_card) }]))
}

/**
 * Ends everything that is sold to an account that closed at `from`: time since then is given back, usage is billed, and
 * its plan ends. Its clusters end by their own destruction. Safe to repeat. `from` null: it had ended before a restore
 * brought it back, and what was billed and given back then is not once more.
 */
export async function endSales(
  deps: OrderDeps & Parameters<typeof billBeforeLastCard>[0],
  trx: Trx,
  { userid, from }: { userid: string; from: Date | null },
): Promise<void> {
  if (from !== null) {
    await giveTimeBack(deps, trx, { userid, clusterId: null, from })
    await billBeforeLastCard(deps, trx, userid)
  }
  const plan = await findPlanSubscription(trx, userid)
  const { now } = await lockOperated(trx, userid)
  if (plan) await endPlan(deps, trx, plan, now(deps.clock))
}

/**
 * Money of an account that ends: still to be collected, disputed or under way, and left on its balance. Minor units. A
 * dispute is waited for: until it is decided nothing of what it is about goes back, and evidence may be asked for.
 */
export async function readUnsettled(db: Db, userid: string): Promise<{ isMoving: boolean; balance: number }> {
  const { rows } = await sql<{ isMoving: boolean; currency: Currency }>`
    select exists (select from invoices where userid = ${userid} and state = 'open')
        or exists (select from payments where userid = ${userid} and state not in ('succeeded', 'declined', 'canceled'))
        or exists (select from card_refunds where userid = ${userid} and state = 'pending')
        or exists (select from disputes where userid = ${userid} and state in ('inquiry', 'open')) as "isMoving",
      account.currency from ${moneyFactsOf(userid)} account`.execute(db)
  const { isMoving = false, currency = 'usd' } = rows[0] ?? {}
  return { isMoving, balance: Math.max(0, -(await readSpendable(db, userid, currency)).minor) }
}

/**
 * Pays the balance of an account that ends out to its cards; the rest is given up. `isPaidOut`: it was before a restore
 * brought it back, and no card gets it twice.
 */
export async function payOut(
  { clock }: Pick<OrderDeps, 'clock'>,
  trx: Trx,
  { userid, isPaidOut }: { userid: string; isPaidOut: boolean },
): Promise<void> {
  const { currency, now } = await lockOperated(trx, userid)
  const at = now(clock)
  const balance = Math.max(0, -(await readSpendable(trx, userid, currency)).minor)
  const { toCards, givenUp } = splitPayout(balance, isPaidOut ? [] : await listRefundable(trx, userid))
  let left = givenUp
  for (const { paymentId, amount } of toCards) {
    const sent = await orderCardRefund(
      trx,
      { userid, paymentId, captureId: null },
      { amount: money(amount, currency), at },
    )
    // One that a bank disputes since the balance was read stays on it until that is decided.
    if (typeof sent !== 'string' && sent.of !== 'dispute') left += amount
  }
  if (left === 0) return
  const id = `${userid} given up ${at.toISOString()}`
  await postToLedger(trx, {
    userid,
    at,
    kind: 'adjust',
    facts: { amount: money(-left, currency) },
    document: userid,
    key: id,
  })
}
