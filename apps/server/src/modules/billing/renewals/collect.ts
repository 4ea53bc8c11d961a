/**
 * Collecting a renewal's invoice, all on the account's clock:
 *
 *   issued ─day 0, 1, 3, 5: a try each─▶ paid
 *      └─the last failed─▶ past due: creating refused, its clusters stopped ─14 days─▶ given up: its clusters destroyed
 *
 * Each try is so many days after the one before was made, so that an outage rushes none. One more is made at once when
 * a card or credit comes. A try that waits for the customer has failed: it is ended at the gateway before the next one.
 * Whatever pays the invoice ends all this, at any step (pay/settle.ts). Writers: these runners alone.
 */
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { findCard } from '../../payments/index.ts'
import { mailFailed, mailStopped } from '../mails/mail-hooks.ts'
import { type Bill, loadBill } from '../pay/bills/load-bill.ts'
import { payBill } from '../pay/bills/pay-invoice.ts'
import { endAsked, isUnderWay } from '../pay/cancel-open-payment.ts'
import { loadBillCard } from '../pay/other-card.ts'
import { wakeClustersOf } from '../pay/wake-clusters.ts'
import { listItems, moveItemsOn } from '../records/documents/subscription-store.ts'
import { graceEnd, nextTryAt, tryGaps } from '../records/dunning-days.ts'
import { listOpenDunnings, updateDunning } from '../records/dunning-store.ts'
import { checkUsageSoon } from '../schedule/check-usage-soon.ts'
import { dueKinds, graceMailDays } from '../schedule/due-kinds.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import { decidePay, decideTry } from './decide-try.ts'
import type { RenewalDeps } from './renewal-deps.ts'

const dayMs = 86_400_000

/** Makes the next try, or after the last of them says that the invoice is past due. */
export async function runRenewalTry(deps: RenewalDeps, trx: Trx, due: Due): Promise<DueOutcome> {
  const { userid, object: invoiceId, at, limits } = due
  const bill = await loadBill(trx, { userid, currency: limits.currency, at }, invoiceId)
  const step = decideTry(bill)
  if (step === 'nothing') return 'done'
  if (step === 'wait') {
    if (bill.open && !bill.isHeldUp) await endAsked(trx, bill.open, at)
    return 'waiting'
  }
  if (step === 'pastDue') {
    await becomePastDue(deps, trx, bill, at)
    return 'done'
  }
  const outcome = await tryToPay(deps, trx, bill, due)
  if (outcome === 'paid') return 'done'
  const tries = (bill.tries ?? 0) + 1
  await updateDunning(trx, invoiceId, { tries, tried_at: at })
  if (bill.invoice.kind === 'usage') await checkUsageSoon(trx, userid)
  const next = nextTryAt(at, tries)
  // Where a card is being charged, its bank says how that ends.
  if (outcome === 'failed') {
    const nextAt = tries <= tryGaps.length ? next : null
    const { invoice, due: amount } = bill
    await mailFailed(deps, trx, { invoice, due: amount, tries, code: null, nextAt, at })
  }
  return { next }
}

/**
 * One more try, beside those that are due, with the card that came where one did. An invoice that was given up
 * meanwhile is paid by what came back in that step, where it is enough and no bill needs it that can still be saved: no
 * card is asked any more.
 */
export async function runTryNow(deps: RenewalDeps, trx: Trx, due: Due): Promise<DueOutcome> {
  const { userid, object, at, limits } = due
  const [invoiceId = '', cardId] = object.split(' ')
  const bill = await loadBill(trx, { userid, currency: limits.currency, at }, invoiceId)
  const { state } = bill.invoice
  const isUnpaid = state === 'open' || state === 'uncollectible'
  if (!isUnpaid || (state === 'uncollectible' && (await listOpenDunnings(trx, userid)).length > 0)) return 'done'
  if (bill.open && isUnderWay(bill.open)) {
    if (state !== 'open') return 'done'
    await endAsked(trx, bill.open, at)
    return 'waiting'
  }
  const card = cardId === undefined ? undefined : await findCard(trx, cardId)
  const isThere = card?.userid === userid && card.removed_at === null
  const named = isThere ? async () => ({ id: card.id, gateway: card.gateway }) : deps.findMethod
  await tryToPay({ ...deps, findMethod: state === 'open' ? named : async () => null }, trx, bill, due)
  return 'done'
}

/** Tries to pay with what the account has and its card; `charging`: the bank will say. */
async function tryToPay(
  deps: RenewalDeps,
  trx: Trx,
  bill: Bill,
  { userid, at, limits: { zone } }: Due,
): Promise<'paid' | 'charging' | 'failed'> {
  const method = await deps.findMethod(trx, userid)
  const decided = decidePay(bill, method && (await loadBillCard(trx, bill.invoice, method)))
  if (!decided.pays) return 'failed'
  const { paid } = await payBill(deps, trx, bill, { at, zone, method: decided.method })
  return paid ? 'paid' : 'charging'
}

async function becomePastDue(deps: RenewalDeps, trx: Trx, { invoice, due }: Bill, at: Date): Promise<void> {
  const { id, userid } = invoice
  const items = (await listItems(trx, { invoiceId: id })).filter(({ state }) => state === 'active')
  await moveItemsOn(trx, items, 'overdue', at)
  await updateDunning(trx, id, { past_due_at: at })
  const dueAt = graceEnd(at)
  const mailAt = new Date(dueAt.getTime() - graceMailDays[0] * dayMs)
  const mail = { userid, kind: dueKinds.graceMail, object: id, dueAt: mailAt }
  await scheduleDue(trx, { userid, kind: dueKinds.graceOver, object: id, dueAt }, mail)
  await mailStopped(deps, trx, { invoice, due, until: dueAt })
  await wakeClustersOf(deps, trx, items)
  await publishChange(trx, { account: userid, topic: 'billing', id })
}
