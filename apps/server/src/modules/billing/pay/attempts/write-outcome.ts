import type { Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import { accountNow } from '../../../accounts/index.ts'
import { mailApproval } from '../../mails/mail-hooks.ts'
import type { AttemptDeps } from '../../records/attempt-deps.ts'
import { isAdopted } from '../../records/capture-store.ts'
import type { PaymentRow } from '../../records/documents/document-tables.ts'
import { getPayment, movePaymentOn, updatePayment } from '../../records/documents/payment-store.ts'
import { isEnd, paymentTransitions } from '../../records/documents/states.ts'
import { listItems } from '../../records/documents/subscription-store.ts'
import { retryOwed } from '../../records/retry-owed.ts'
import { checkUsageSoon } from '../../schedule/check-usage-soon.ts'
import { declinePayment, endPayment } from '../begin-payment.ts'
import { lapseOrder } from '../bills/lapse-order.ts'
import { settlePayment } from '../settle.ts'
import { wakeClustersOf } from '../wake-clusters.ts'
import type { AttemptStep } from './decide-attempt.ts'

/** A payment as it is under its account's lock, and the account's time. */
type Locked<T> = (trx: Trx, payment: PaymentRow, at: Date) => Promise<T>

async function underLock<T>(
  { db, clock, accounts }: AttemptDeps,
  { userid, id }: PaymentRow,
  work: Locked<T>,
): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    const limits = await accounts.lockLimits(trx, userid)
    return await work(trx, await getPayment(trx, userid, id), accountNow(limits, clock.now()))
  })
}

/**
 * From here on it is asked for before it is made again. Gives how often it is made with this time; undefined for one
 * that is no longer to be, or that another process sees to.
 */
export async function markSent(deps: AttemptDeps, seen: PaymentRow): Promise<number | undefined> {
  return await underLock(deps, seen, async (trx, payment, at) => {
    const isSame = payment.state === seen.state && payment.sends === seen.sends
    if (!isSame || payment.canceling_for !== null || payment.gateway_ref !== null) return undefined
    const sends = payment.sends + 1
    if (payment.state === 'created') await movePaymentOn(trx, payment, 'sent', { at, sends })
    else await updatePayment(trx, payment.id, { sends })
    await publishPayment(trx, payment)
    return sends
  })
}

/**
 * Stores the gateway's ref of a payment. False if the payment is not to be charged any more, or if another ref is
 * stored: if two were created, because the first appeared late, only one is ever confirmed.
 */
export async function keepRef(deps: AttemptDeps, seen: PaymentRow, ref: string): Promise<boolean> {
  return await underLock(deps, seen, async (trx, payment) => {
    if (isEnd(paymentTransitions, payment.state)) return false
    if (payment.gateway_ref !== null && payment.gateway_ref !== ref) return false
    if (payment.gateway_ref === null) await updatePayment(trx, payment.id, { gateway_ref: ref })
    return payment.canceling_for === null
  })
}

/**
 * Writes what the gateway answered, with all that follows from it, in one transaction. False, and nothing written,
 * where the payment moved on since it was asked about.
 */
export async function writeStep(deps: AttemptDeps, seen: PaymentRow, step: Written): Promise<boolean> {
  return await underLock(deps, seen, async (trx, payment, at) => {
    if (payment.state !== seen.state || payment.gateway_ref !== seen.gateway_ref) return false
    // An operator took the charge over as credit since it was asked about.
    if ('captured' in step && (await isAdopted(trx, deps.gateway.name, step.ref))) return false
    return await applyStep(deps, trx, payment, step, at)
  })
}

type Written = Exclude<AttemptStep, { do: 'send' | 'confirm' | 'cancel' }>

/** Writes a step of a payment that is locked, with all that follows from it. */
export async function applyStep(
  deps: AttemptDeps,
  trx: Trx,
  payment: PaymentRow,
  step: Written,
  at: Date,
): Promise<boolean> {
  const { id, userid } = payment
  if ('ref' in step && step.ref !== null) await updatePayment(trx, id, { gateway_ref: step.ref })
  if (step.do !== 'askAgain') await updatePayment(trx, id, { unanswered: 0 })
  switch (step.do) {
    case 'rest':
      return true
    case 'settle':
    case 'creditLate':
      await settlePayment(deps, trx, { userid, paymentId: id, at, captured: step.captured })
      return true
    case 'awaitCustomer':
      await movePaymentOn(trx, payment, 'actionNeeded', { at, action_url: step.url })
      await mailApproval(deps, trx, payment, at)
      break
    case 'askAgain':
      await updatePayment(trx, id, { unanswered: payment.unanswered + 1 })
      // A payment with a confirmation page keeps its state.
      if (payment.state !== 'sending') return true
      await movePaymentOn(trx, payment, 'unanswered', { at })
      break
    case 'end':
      await end(deps, trx, payment, step, at)
      break
  }
  await publishPayment(trx, payment)
  return true
}

/** Ends a payment that charged nothing, and continues the work that waited for its end. */
async function end(
  deps: AttemptDeps,
  trx: Trx,
  payment: PaymentRow,
  step: Extract<AttemptStep, { do: 'end' }>,
  at: Date,
): Promise<void> {
  const { userid, invoice_id: invoiceId, canceling_for } = payment
  // Only what was sent can be declined; this one was taken up, and goes no further.
  if (payment.state === 'created') await movePaymentOn(trx, payment, 'sent', { at })
  const sent = { ...payment, state: payment.state === 'created' ? ('sending' as const) : payment.state }
  if (step.event === 'declined') await declinePayment(deps, trx, sent, { at, code: step.code })
  else await endPayment(trx, sent, { event: step.event, at })
  // Another card may be on file, which is asked at once.
  if (step.event === 'declined' && step.code === 'cardDisputed') await retryOwed(trx, userid, at)
  // The account's limit of usage on credit depends on the last charge of its card.
  await checkUsageSoon(trx, userid)
  if (canceling_for !== null && canceling_for !== 'another') await lapseOrder(deps, trx, { userid, invoiceId, at })
  await wakeClustersOf(deps, trx, await listItems(trx, { invoiceId }))
}

async function publishPayment(trx: Trx, { id, userid }: PaymentRow): Promise<void> {
  await publishChange(trx, { account: userid, topic: 'billing', id })
}
