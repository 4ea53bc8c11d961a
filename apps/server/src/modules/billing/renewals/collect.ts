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
import { endAsked, isUnderWay } from '../pay/cancel-open-payment.ts'
import { wakeClustersOf } from '../pay/wake-clusters.ts'
import type { InvoiceRow } from '../records/documents/document-tables.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { findOpenPayment } from '../records/documents/payment-store.ts'
import { listItems, moveItemsOn } from '../records/documents/subscription-store.ts'
import { graceEnd, nextTryAt, tryGaps } from '../records/dunning-days.ts'
import { getDunning, listOpenDunnings, updateDunning } from '../records/dunning-store.ts'
import { isHeldUp } from '../records/held-bills.ts'
import { checkUsageSoon } from '../schedule/check-usage-soon.ts'
import { dueKinds, graceMailDays } from '../schedule/due-kinds.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import type { RenewalDeps } from './renewal-deps.ts'
import { tryToPay } from './try-to-pay.ts'

const dayMs = 86_400_000

/** Makes the next try, or after the last of them says that the invoice is past due. */
export async function runRenewalTry(deps: RenewalDeps, trx: Trx, due: Due): Promise<DueOutcome> {
  const { userid, object: invoiceId, at } = due
  const invoice = await getInvoice(trx, userid, invoiceId)
  if (invoice.state !== 'open') return 'done'
  if (await isHeldUp(trx, invoice)) return 'waiting'
  const { tries } = await getDunning(trx, invoiceId)
  const payment = await findOpenPayment(trx, invoiceId)
  if (payment && isUnderWay(payment)) {
    await endAsked(trx, payment, at)
    return 'waiting'
  }
  if (tries > tryGaps.length) {
    await becomePastDue(deps, trx, invoice, at)
    return 'done'
  }
  if (await tryToPay(deps, trx, invoice, at)) return 'done'
  await updateDunning(trx, invoiceId, { tries: tries + 1, tried_at: at })
  if (invoice.kind === 'usage') await checkUsageSoon(trx, userid)
  const next = nextTryAt(at, tries + 1)
  const begun = await findOpenPayment(trx, invoiceId)
  // Where a card is being charged, its bank says how that ends.
  if (!begun || !isUnderWay(begun)) {
    const nextAt = tries < tryGaps.length ? next : null
    await mailFailed(deps, trx, { userid, invoiceId, tries: tries + 1, code: null, nextAt, at })
  }
  return { next }
}

/**
 * One more try, beside those that are due, with the card that came where one did. An invoice that was given up
 * meanwhile is paid by what came back in that step, where it is enough and no bill needs it that can still be saved: no
 * card is asked any more.
 */
export async function runTryNow(deps: RenewalDeps, trx: Trx, { userid, object, at }: Due): Promise<DueOutcome> {
  const [invoiceId = '', cardId] = object.split(' ')
  const invoice = await getInvoice(trx, userid, invoiceId)
  if (invoice.state === 'uncollectible' && (await listOpenDunnings(trx, userid)).length === 0) {
    await tryToPay({ ...deps, findMethod: async () => null }, trx, invoice, at)
  }
  if (invoice.state !== 'open') return 'done'
  const payment = await findOpenPayment(trx, invoiceId)
  if (payment && isUnderWay(payment)) {
    await endAsked(trx, payment, at)
    return 'waiting'
  }
  const card = cardId === undefined ? undefined : await findCard(trx, cardId)
  const isThere = card?.userid === userid && card.removed_at === null
  const withCard = isThere ? { ...deps, findMethod: async () => ({ id: card.id, gateway: card.gateway }) } : deps
  await tryToPay(withCard, trx, invoice, at)
  return 'done'
}

async function becomePastDue(deps: RenewalDeps, trx: Trx, { id, userid }: InvoiceRow, at: Date): Promise<void> {
  const items = (await listItems(trx, { invoiceId: id })).filter(({ state }) => state === 'active')
  await moveItemsOn(trx, items, 'overdue', at)
  await updateDunning(trx, id, { past_due_at: at })
  const dueAt = graceEnd(at)
  const mailAt = new Date(dueAt.getTime() - graceMailDays[0] * dayMs)
  const mail = { userid, kind: dueKinds.graceMail, object: id, dueAt: mailAt }
  await scheduleDue(trx, { userid, kind: dueKinds.graceOver, object: id, dueAt }, mail)
  await mailStopped(deps, trx, { userid, invoiceId: id, until: dueAt })
  await wakeClustersOf(deps, trx, items)
  await publishChange(trx, { account: userid, topic: 'billing', id })
}
