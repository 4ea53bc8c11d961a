/** Mails that are due before something else is; not sent where that is settled by then. */
import { dayInZone } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { priceOfTerms } from '../../catalog/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { collectingKey, mailedInvoiceOf } from '../mails/mail-facts.ts'
import { type BillingMailDeps, sendBillingMail } from '../mails/send-billing-mail.ts'
import { endOf, getInvoice } from '../records/documents/invoice-store.ts'
import { getSubscription } from '../records/documents/subscription-store.ts'
import { getDunning } from '../records/dunning-store.ts'
import { isHeldUp } from '../records/held-bills.ts'
import { dueKinds, graceMailDays } from '../schedule/due-kinds.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'
import { listEnding, listRenewed, priceRenewed } from './decide-renewal.ts'
import { loadRenewal } from './load-renewal.ts'

const dayMs = 24 * 60 * 60_000

/** An order is about to lapse. */
export async function runLapseMail(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, object: invoiceId, at }: Due,
): Promise<DueOutcome> {
  const invoice = await getInvoice(trx, userid, invoiceId)
  const validUntil = endOf(invoice)
  if (invoice.state !== 'open' || !validUntil || at >= validUntil) return 'done'
  const facts = async () => ({ invoice: await mailedInvoiceOf(trx, invoice), at: validUntil })
  await sendBillingMail(deps, trx, { userid, kind: 'orderLapses', key: invoiceId, facts })
  return 'done'
}

/** Prepaid items are about to be renewed: one mail for all that renew on the same day. */
export async function runRenewalMail(
  deps: BillingMailDeps & Pick<OrderDeps, 'catalog'>,
  trx: Trx,
  due: Due,
): Promise<DueOutcome> {
  const { userid, object, at, limits } = due
  const { state, period_end: day } = await getSubscription(trx, object)
  if (state !== 'active' || day <= at) return 'done'
  const facts = await loadRenewal(deps, trx, { ...due, dueAt: day })
  const renewing = listEnding(facts, day, limits.zone)
  const items = listRenewed(facts, renewing)
  if (items.length === 0) return 'done'
  const { total, coupon = null, split } = priceRenewed(facts, { renewing, items }, { at: day, limits })
  if (total.minor === 0) return 'done'
  const rows = items.map(({ terms }) => ({ name: terms.title, amount: priceOfTerms(terms) }))
  const key = dayInZone(day, limits.zone)
  await sendBillingMail(deps, trx, { userid, kind: 'renewalSoon', key, facts: { at: day, rows, coupon, total, split } })
  return 'done'
}

/** The days of grace are about to be over. */
export async function runGraceMail(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, object: invoiceId, at }: Due,
): Promise<DueOutcome> {
  const invoice = await getInvoice(trx, userid, invoiceId)
  const { state } = invoice
  if (state === 'open' && (await isHeldUp(trx, { id: invoiceId, userid }))) return 'waiting'
  const until = await findGraceEnd(trx, userid, invoiceId)
  if (state !== 'open' || !until || (await getDunning(trx, invoiceId)).past_due_at === null) return 'done'
  const left = (until.getTime() - at.getTime()) / dayMs
  // The nearest that has come: after an outage the others would say what is no longer so.
  const days = graceMailDays.findLast((one) => left <= one)
  if (days !== undefined && left > 0) {
    const facts = async () => ({ invoice: await mailedInvoiceOf(trx, invoice), days, until })
    await sendBillingMail(deps, trx, { userid, kind: 'daysLeft', key: `${collectingKey(invoice)} ${days}`, facts })
  }
  const next = graceMailDays.find((one) => left > one)
  return next === undefined ? 'done' : { next: new Date(until.getTime() - next * dayMs) }
}

async function findGraceEnd(trx: Trx, userid: string, invoiceId: string): Promise<Date | undefined> {
  const row = await trx
    .selectFrom('due_items')
    .select('due_at')
    .where('userid', '=', userid)
    .where('object', '=', invoiceId)
    .where('kind', '=', dueKinds.graceOver)
    .executeTakeFirst()
  return row?.due_at
}
