/**
 * Collecting a renewal's invoice, all on the account's clock:
 *
 *   issued ─day 0, 1, 3, 5: a try each─▶ paid
 *      └─the last failed─▶ past due: creating refused, its clusters stopped ─14 days─▶ given up: its clusters destroyed
 *
 * Each try is so many days after the one before was made, so that an outage rushes none. One more is made at once when
 * a card or credit comes. A try that waits for the customer has failed: it is ended at the gateway before the next one.
 * Whatever pays the invoice ends all this, at any step (orders/settle.ts). Writers: these runners alone.
 */
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { cancelOpenPayment, isUnderWay } from '../attempts/cancel-open-payment.ts'
import type { InvoiceRow } from '../documents/document-tables.ts'
import { getInvoice, listInvoiceItems } from '../documents/invoice-store.ts'
import { findOpenPayment } from '../documents/payment-store.ts'
import { listItems, moveItemsOn } from '../documents/subscription-store.ts'
import { mailFailed, mailStopped } from '../mails/mail-hooks.ts'
import { wakeClustersOf } from '../orders/wake-clusters.ts'
import { dueKinds, graceMailDays } from '../time/due-kinds.ts'
import type { Due, DueOutcome } from '../time/due-runner.ts'
import { scheduleDue } from '../time/due-store.ts'
import { graceEnd, nextTryAt, tryGaps } from './dunning-days.ts'
import { getDunning, updateDunning } from './dunning-store.ts'
import type { RenewalDeps } from './renewal-deps.ts'
import { tryToPay } from './try-to-pay.ts'

const dayMs = 86_400_000

/** Makes the next try, or after the last of them says that the invoice is past due. */
export async function runRenewalTry(deps: RenewalDeps, trx: Trx, due: Due): Promise<DueOutcome> {
  const { userid, object: invoiceId, at } = due
  const invoice = await getInvoice(trx, userid, invoiceId)
  if (invoice.state !== 'open') return 'done'
  const { tries } = await getDunning(trx, invoiceId)
  const isLast = tries > tryGaps.length
  if (await mayYetBePaid(trx, { invoiceId, at, isLast })) return 'waiting'
  if (isLast) {
    await becomePastDue(deps, trx, invoice, at)
    return 'done'
  }
  if (await tryToPay(deps, trx, invoice, at)) return 'done'
  await updateDunning(trx, invoiceId, { tries: tries + 1, tried_at: at })
  const next = nextTryAt(at, tries + 1)
  // Where a card is being charged, its bank says how that ends.
  if (!(await mayYetBePaid(trx, { invoiceId, at, isLast: true }))) {
    const nextAt = tries < tryGaps.length ? next : null
    await mailFailed(deps, trx, { userid, invoiceId, tries: tries + 1, code: null, nextAt, at })
  }
  return { next }
}

/** One more try, beside those that are due. */
export async function runTryNow(
  deps: RenewalDeps,
  trx: Trx,
  { userid, object: invoiceId, at }: Due,
): Promise<DueOutcome> {
  const invoice = await getInvoice(trx, userid, invoiceId)
  if (invoice.state !== 'open') return 'done'
  if (await mayYetBePaid(trx, { invoiceId, at, isLast: false })) return 'waiting'
  await tryToPay(deps, trx, invoice, at)
  return 'done'
}

/**
 * Whether a payment of it may yet come through. One that waits for the customer has failed: after the last try that is
 * the verdict, before another one the gateway is asked to end it.
 */
async function mayYetBePaid(
  trx: Trx,
  { invoiceId, at, isLast }: { invoiceId: string; at: Date; isLast: boolean },
): Promise<boolean> {
  const payment = await findOpenPayment(trx, invoiceId)
  if (!payment || !isUnderWay(payment)) return false
  if (payment.state !== 'needs_action') return true
  return !isLast && !(await cancelOpenPayment(trx, { invoiceId, at, because: 'another' }))
}

async function becomePastDue(deps: RenewalDeps, trx: Trx, { id, userid }: InvoiceRow, at: Date): Promise<void> {
  const ids = (await listInvoiceItems(trx, id)).map((line) => line.item_id)
  const items = (await listItems(trx, { ids })).filter(({ state }) => state === 'active')
  await moveItemsOn(trx, items, 'overdue', at)
  await updateDunning(trx, id, { past_due_at: at })
  const dueAt = graceEnd(at)
  await scheduleDue(trx, { userid, kind: dueKinds.graceOver, object: id, dueAt })
  const mailAt = new Date(dueAt.getTime() - graceMailDays[0] * dayMs)
  await scheduleDue(trx, { userid, kind: dueKinds.graceMail, object: id, dueAt: mailAt })
  await mailStopped(deps, trx, { userid, invoiceId: id, until: dueAt })
  await wakeClustersOf(deps, trx, items)
  await publishChange(trx, { account: userid, topic: 'billing', id })
}
