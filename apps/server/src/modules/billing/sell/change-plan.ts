/**
 * Changing the plan. Up: invoice and payment now; the plan begins when that is settled (`beginPlans`), and an invoice
 * that nobody pays lapses and leaves the plan as it was. Down: noted, and done when the period ends; until then it is
 * taken back by asking for the plan that the account has. Everything under the account's lock.
 */
import type { planChange } from '@atoll/contract/billing'
import { type CallData, currencySymbols, planNames } from '@atoll/contract/wire'
import { formatMajorUnits } from '@atoll/money'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { awaitOutcome } from '../pay/await-outcome.ts'
import { beginPayment, type Method } from '../pay/begin-payment.ts'
import { beginPlans } from '../pay/begin-plans.ts'
import { issueInvoice, scheduleLapse } from '../pay/bills/issue-invoice.ts'
import { lapseOrder } from '../pay/bills/lapse-order.ts'
import { readOutcome } from '../pay/bills/order-outcome.ts'
import { orderLifetimeMs } from '../pay/bills/price-order.ts'
import { cancelingPayments, PaymentUnderWay } from '../pay/payment-under-way.ts'
import { insertPlanItem } from '../pay/plan-item.ts'
import { basketText, quoteOf, readQuote, stillHolds } from '../pricing/estimate-token.ts'
import type { AttemptDeps } from '../records/attempt-deps.ts'
import type { SubscriptionRow } from '../records/documents/document-tables.ts'
import { findOpenPayment } from '../records/documents/payment-store.ts'
import { insertSubscription, moveItemsOn } from '../records/documents/subscription-store.ts'
import type { OwnPlan } from '../records/own-plan.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { dropDue } from '../schedule/due-store.ts'
import { loadBuyer } from './buyer.ts'
import { decidePlan, type PlanStep } from './decide-plan.ts'
import { estimatePlan, type PlanEstimate } from './estimate-plan.ts'
import type { EstimateDeps } from './estimate-service.ts'
import { getOrderMethod, type OrderMethodDeps } from './own-method.ts'

export type PlanDeps = OrderDeps & EstimateDeps & OrderMethodDeps

export interface PlanChange {
  planLevel: number
  /** The figure that the customer was shown; without one it costs what it costs now. */
  estimateToken?: string | undefined
  /** The card that the customer names; without it the account's. */
  methodId?: string | undefined
}

export interface PlanChanged {
  /** Nothing is due. */
  paid: boolean
  planLevel: number
  /** ISO 8601. */
  effectiveAt: string
  /** Minor units. */
  amount: number
  /** The invoice to pay; null if there is nothing to pay. */
  invoiceId: string | null
}

export async function changePlan(
  deps: PlanDeps,
  trx: Trx,
  caller: Caller,
  { planLevel: level, estimateToken, methodId }: PlanChange,
): Promise<PlanChanged> {
  const { userid } = caller
  const limits = await deps.accounts.lockLimits(trx, userid)
  const now = accountNow(limits, deps.clock.now())
  const method = await getOrderMethod(deps, trx, userid, methodId)
  const asked = { userid, basket: planBasket(level) }
  const shown = estimateToken === undefined ? undefined : readQuote(deps.sealer, estimateToken, asked, now)
  const at = shown ? new Date(shown.at) : now
  const estimate = await estimatePlan(trx, deps.catalog.current(), limits, { userid, level, at, method })
  const { own, move, effectiveAt } = estimate
  const holds = shown && stillHolds(shown, quoteOf(asked, estimate.prices, estimate.basket, estimate.at))
  const step = decidePlan({
    move,
    level,
    waiting: own.waiting?.terms.level,
    isStale: estimateToken !== undefined && !holds,
    isPastDue: own.current && own.current.item.state === 'past_due',
    costs: estimate.basket.gross.minor > 0,
    buyer: await loadBuyer(trx, userid),
  })
  if (step.does === 'refuse') return refuseStep(step.why, estimate)
  const { waiting } = own
  if (step.does === 'nothing') return waitingAnswer(waiting)
  if (step.takesBack && waiting) await takeBack(deps, trx, userid, waiting.invoice.id, now)
  if (own.subscription && step.pending !== undefined) await setPending(trx, own.subscription, step.pending)
  const sold = step.sells ? await sellPlan(deps, trx, userid, { ...estimate, method, now }) : null
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action: 'plan.change',
    object: { kind: 'plan', id: userid, owner: userid },
    before: { planLevel: own.current?.terms.level ?? 0 },
    after: { planLevel: level },
  })
  await publishChange(trx, { account: userid, topic: 'billing', id: userid })
  const nothingDue = { paid: true, amount: 0, invoiceId: null }
  return { planLevel: level, effectiveAt: effectiveAt.toISOString(), ...(sold ?? nothingDue) }
}

/** Once for each request. Waits for what comes of its payment; a repeated one gets its state by then. */
export async function requestPlan(
  deps: PlanDeps & Pick<AttemptDeps, 'feed' | 'outcomeMs'>,
  caller: Caller,
  body: PlanChange & { requestId?: string | undefined },
): Promise<CallData<typeof planChange>> {
  const { userid } = caller
  const request = { owner: userid, call: 'planChange', body }
  const { invoiceId, ...changed } = await cancelingPayments(deps, () =>
    once(deps, request, (trx) => changePlan(deps, trx, caller, body)),
  )
  if (invoiceId === null) return changed
  const asked = await readOutcome(deps.db, userid, invoiceId)
  const payment = asked.pending ? await findOpenPayment(deps.db, asked.invoiceId) : undefined
  if (payment) await awaitOutcome(deps, { userid, paymentId: payment.id })
  const { amount, paid, pending, actionUrl, ...newest } = await readOutcome(deps.db, userid, invoiceId)
  const underWay = { ...(pending && { pending }), ...(actionUrl !== null && { actionUrl }) }
  return { ...changed, ...newest, amount: amount.minor, paid, ...underWay }
}

/** The request, as its estimate names it. */
export function planBasket(level: number): string {
  return basketText({ kind: 'plan', planLevel: level })
}

export function nameOf(level: number): string {
  return planNames[level] ?? String(level)
}

function waitingAnswer(waiting: OwnPlan['waiting']): PlanChanged {
  if (!waiting) throw new Error('No higher plan waits for its payment')
  const { invoice, terms } = waiting
  const { id: invoiceId, issued_at: asked, total_minor: amount } = invoice
  return { paid: false, planLevel: terms.level, effectiveAt: asked.toISOString(), amount, invoiceId }
}

/** A higher plan that is not paid is not wanted any more. */
async function takeBack(deps: PlanDeps, trx: Trx, userid: string, invoiceId: string, at: Date): Promise<void> {
  const isLapsed = await lapseOrder(deps, trx, { userid, invoiceId, at })
  if (!isLapsed) throw new PaymentUnderWay({ userid, invoiceId, isOrder: true })
  await dropDue(trx, { userid, kind: dueKinds.orderLapse, object: invoiceId })
}

async function setPending(trx: Trx, { id }: SubscriptionRow, level: number | null): Promise<void> {
  await trx.updateTable('subscriptions').set({ pending_level: level }).where('id', '=', id).execute()
}

async function sellPlan(
  deps: PlanDeps,
  trx: Trx,
  userid: string,
  { own, terms, basket, at, nextAt, method, now }: PlanEstimate & { method: Method | null; now: Date },
): Promise<Pick<PlanChanged, 'paid' | 'amount' | 'invoiceId'>> {
  const times = { anchor: at, period_start: at, period_end: nextAt, created_at: at }
  const subscription =
    own.subscription ??
    (await insertSubscription(trx, { id: newId('sub'), userid, kind: 'plan', cluster_id: null, ...times }))
  if (!terms) throw new Error('The Free plan is not sold')
  const item = await insertPlanItem(trx, subscription, terms, at)
  if (basket.gross.minor === 0) {
    await moveItemsOn(trx, [item], 'paid', now)
    await beginPlans(deps, trx, userid, [item], now)
    return { paid: true, amount: 0, invoiceId: null }
  }
  const validUntil = new Date(Math.min(at.getTime() + orderLifetimeMs, nextAt.getTime()))
  const invoice = await issueInvoice(deps, trx, {
    userid,
    kind: 'plan',
    at,
    validUntil,
    basket,
    soldAs: () => ({
      ...({ item_id: item.id, product_type: 'Instance', revenue: 'plan', reason: 'order' } as const),
      price_id: item.price_id,
    }),
  })
  const { paid } = await beginPayment(deps, trx, invoice, { at, method, split: basket.split, before: 0 })
  if (!paid) await scheduleLapse(trx, invoice, validUntil)
  return { paid, amount: basket.total.minor, invoiceId: invoice.id }
}

function refuseStep(why: Extract<PlanStep, { does: 'refuse' }>['why'], { basket, own }: PlanEstimate): never {
  const { total } = basket
  if (why === 'estimateChanged')
    return refuse(why, { amount: `${currencySymbols[total.currency]}${formatMajorUnits(total)}` })
  return why === 'planWaits' ? refuse(why, { plan: nameOf(own.waiting?.terms.level ?? 0) }) : refuse(why)
}
