/** The money of an account that closes: what keeps it open, what its owner is told, and the payout at the end. */
import { type Currency, money } from '@atoll/money'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { accountNow, lockOperated, moneyFactsOf } from '../../accounts/index.ts'
import { getBalance, postedEntries, postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { endPlan } from '../pay/begin-plans.ts'
import { estimateRefund, refund } from '../pay/bills/refund.ts'
import { orderCardRefund } from '../pay/order-card-refund.ts'
import { estimateInstant } from '../pricing/estimate-token.ts'
import type { AttemptDeps } from '../records/attempt-deps.ts'
import type { Charged } from '../records/card-refund-store.ts'
import { hasOpenDispute, readSpendable } from '../records/dispute-store.ts'
import { lapseGrants } from '../records/documents/promo-store.ts'
import { noteStopped } from '../records/documents/stopped-spans.ts'
import { findPlanSubscription } from '../records/documents/subscription-store.ts'
import { estimateRefundOf, type RefundDeps } from '../sell/estimate-refund.ts'
import { type CurrentUsageDeps, readCurrentUsage } from '../usage/current-usage.ts'
import { settledKinds } from '../usage/settle-usage.ts'
import { owedOf } from './customer-figures.ts'
import { giveTimeBack } from './give-time-back.ts'
import { splitPayout } from './split-payout.ts'

const givenUpKeys = { lost: 'set off', rest: 'given up' }

/** Minor units. */
interface ClosingMoney {
  currency: Currency
  balance: number
  /** Of what was paid ahead for machines and the plan. */
  unused: number
  /** Kept for bills that are not paid, and for usage that is not billed yet. */
  owed: number
  toCard: number
  givenUp: number
  promo: number
}

/** Refuses what has to be settled before the account can close. */
export async function refuseUnsettled(trx: Trx, userid: string): Promise<void> {
  if ((await readOwed(trx, userid)) > 0) refuse('closeOwed')
  if (await hasOpenDispute(trx, userid)) refuse('closeDisputed')
}

async function readOwed(db: Db, userid: string): Promise<number> {
  const { rows } = await sql<{ owed: number }>`select ${owedOf(sql`${userid}`)} as owed`.execute(db)
  return Number(rows[0]?.owed ?? 0)
}

/**
 * Money that comes back when an account ends that closed at `since`, wall time, with these clusters: the time of these
 * and of its plan since then is given back, whenever it is asked.
 */
export async function quoteClosing(
  deps: RefundDeps & CurrentUsageDeps & Pick<AttemptDeps, 'gateway'>,
  userid: string,
  { clusterIds, since }: { clusterIds: readonly string[]; since: Date },
): Promise<ClosingMoney> {
  const { db } = deps
  const limits = await deps.accounts.getLimits(db, userid)
  const { currency } = limits
  const then = { ...deps, clock: { now: () => since } }
  let unused = 0
  let unpaid = await readKept(db, userid)
  for (const clusterId of clusterIds) {
    const instances = await deps.listOwnInstances(db, userid, clusterId)
    if (!instances || instances.length === 0) continue
    const { toBalance, offOwed } = (await estimateRefundOf(then, userid, { clusterId })).refund
    unused += toBalance.minor
    unpaid -= offOwed.minor
  }
  const plan = await findPlanSubscription(db, userid)
  if (plan) {
    const order = { userid, instances: [], plan: plan.id, at: estimateInstant(accountNow(limits, since)) }
    const { toBalance, offOwed } = await estimateRefund(db, order, currency)
    unused += toBalance.minor
    unpaid -= offOwed.minor
  }
  const balance = Math.max(0, -(await readSpendable(db, userid, currency)).minor)
  const credit = Math.max(0, -(await getBalance(db, userid, 'promo', currency)).minor)
  const { unbilled } = await readCurrentUsage(deps, db, userid)
  // Promotional credit pays usage first.
  const promo = Math.max(0, credit - unbilled.minor)
  const owed = Math.min(balance + unused, Math.max(0, unpaid) + Math.max(0, unbilled.minor - credit))
  const charges = (await listRefundable(db, userid)).filter(({ gateway }) => gateway === deps.gateway.name)
  const back = balance + unused - owed
  const { givenUp } = splitPayout(back, charges)
  return { currency, balance, unused, owed, toCard: back - givenUp, givenUp, promo }
}

/** A charge, and the amount that its card can be given back. Minor units. */
interface RefundableCharge extends Charged {
  gateway: string
  toCard: number
}

/**
 * The charges of an account's cards, newest first: payments, among them those that were captured after their end, and
 * captures that were adopted. A card that declined its refund takes none: what it paid is given up.
 */
async function listRefundable(db: Db, userid: string): Promise<RefundableCharge[]> {
  const { rows } = await sql<RefundableCharge>`
    select userid, "paymentId", "captureId", gateway, (taken.minor - refunded.minor - withdrawn.minor)::bigint as "toCard"
    from (
      select userid, id, id as "paymentId", null as "captureId", gateway, created_at as charged_at from payments
        where gateway_ref is not null
      union all select userid, id, null, id, gateway, adopted_at from adopted_captures
    ) charge,
    lateral (select coalesce(sum(amount_minor), 0) as minor from ${postedEntries} entry
      where book = charge.userid and account like 'gateway:%'
        and key in (charge.id || ' paid', charge.id || ' collected', charge.id || ' late')) taken,
    lateral (select coalesce(sum(amount_minor) filter (where state in ('pending', 'done')), 0) as minor,
        coalesce(bool_or(state in ('declined', 'returned')), false) as has_failed
      from card_refunds refund
      where refund.userid = charge.userid and charge.id in (refund.payment_id, refund.capture_id)) refunded,
    lateral (select coalesce(sum(withdrawn_minor), 0) as minor from disputes
      where disputes.userid = charge.userid and charge.id in (disputes.payment_id, disputes.capture_id)) withdrawn
    where userid = ${userid} and not has_failed and taken.minor > 0
    order by charged_at desc, charge.id`.execute(db)
  return rows
}

/**
 * Ends everything that is sold to an account that closed at `from`: time since then is given back, and its plan ends:
 * nothing of it is charged from then on, as of a plan that falls to Free for want of payment (renewals/give-up.ts).
 * Its clusters end by their own destruction, and its usage is billed then. Safe to repeat. `from` null: it had ended
 * before a restore brought it back, and what was given back then is not once more.
 */
export async function endSales(
  deps: OrderDeps,
  trx: Trx,
  { userid, from }: { userid: string; from: Date | null },
): Promise<void> {
  if (from !== null) await giveTimeBack(deps, trx, { userid, clusterId: null, from })
  const plan = await findPlanSubscription(trx, userid)
  const { now } = await lockOperated(trx, userid)
  if (!plan) return
  const at = now(deps.clock)
  if (from !== null) {
    await noteStopped(trx, plan.id, { start: now({ now: () => from }), end: at })
    await refund(deps, trx, { userid, instances: [], plan: plan.id, at })
  }
  await endPlan(deps, trx, plan, at)
}

interface Unsettled {
  /** Usage is to be billed or corrected. */
  isUsageDue: boolean
  isMoving: boolean
  balance: number
}

/**
 * Money of an account that ends: still to be billed or collected, disputed or under way, and left on its balance or as
 * promotional credit. Minor units. A dispute is waited for: until it is decided nothing of what it is about goes back,
 * and evidence may be asked for.
 */
export async function readUnsettled(db: Db, userid: string): Promise<Unsettled> {
  const { rows } = await sql<{ isUsageDue: boolean; isMoving: boolean; currency: Currency }>`
    select exists (select from due_items where userid = ${userid} and kind in (${sql.join(settledKinds)}))
        as "isUsageDue",
      exists (select from invoices where userid = ${userid} and state = 'open')
        or exists (select from payments where userid = ${userid} and state not in ('succeeded', 'declined', 'canceled'))
        or exists (select from card_refunds where userid = ${userid} and state = 'pending')
        or exists (select from disputes where userid = ${userid} and state in ('inquiry', 'open')) as "isMoving",
      account.currency from ${moneyFactsOf(userid)} account`.execute(db)
  const { isUsageDue = false, isMoving = false, currency = 'usd' } = rows[0] ?? {}
  const promo = Math.max(0, -(await getBalance(db, userid, 'promo', currency)).minor)
  return { isUsageDue, isMoving, balance: promo + Math.max(0, -(await readSpendable(db, userid, currency)).minor) }
}

/**
 * Pays the balance of an account that ends out to its cards, less what it owes on bills that were written off; the rest
 * is given up, and promotional credit ends. `isPaidOut`: it was before a restore brought it back, and no card gets it
 * twice.
 */
export async function payOut(
  { clock }: Pick<OrderDeps, 'clock'>,
  trx: Trx,
  { userid, isPaidOut }: { userid: string; isPaidOut: boolean },
): Promise<void> {
  const { currency, now } = await lockOperated(trx, userid)
  const at = now(clock)
  const balance = Math.max(0, -(await readSpendable(trx, userid, currency)).minor)
  const lost = Math.min(balance, await readKept(trx, userid))
  const { toCards, givenUp } = splitPayout(balance - lost, isPaidOut ? [] : await listRefundable(trx, userid))
  let left = givenUp
  for (const { charge, amount } of toCards) {
    const sent = await orderCardRefund(trx, charge, { amount: money(amount, currency), at })
    // One that a bank disputes since the balance was read stays on it until that is decided.
    if (typeof sent !== 'string' && sent.of !== 'dispute') left += amount
  }
  for (const [key, minor] of [
    [givenUpKeys.lost, lost],
    [givenUpKeys.rest, left],
  ] as const) {
    if (minor === 0) continue
    const about = { userid, at, document: userid, key: `${userid} ${key} ${at.toISOString()}` }
    await postToLedger(trx, { ...about, kind: 'adjust', facts: { amount: money(-minor, currency) } })
  }
  await lapseGrants(trx, { userid, currency, at })
}

/** The amount owed on bills that the balance pays, less what earlier payouts kept for them: those changed no bill. */
async function readKept(db: Db, userid: string): Promise<number> {
  const { rows } = await sql<{ minor: number }>`select coalesce(sum(amount_minor), 0)::bigint as minor
    from ${postedEntries} entry where book = ${userid} and account = 'cash'
      and starts_with(key, ${`${userid} ${givenUpKeys.lost} `})`.execute(db)
  return Math.max(0, (await readOwed(db, userid)) - Number(rows[0]?.minor ?? 0))
}
