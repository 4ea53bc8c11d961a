/** The mails of what happens to invoices, in the transaction in which it happens. */
import type { DeclineCode } from '@atoll/contract/payments'
import { money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import type { InvoiceRow, PaymentRow } from '../documents/document-tables.ts'
import type { PricedRefund } from '../pricing/price-refund.ts'
import { graceEnd, pastDueAt } from '../renewals/dunning-days.ts'
import { dueKinds } from '../time/due-kinds.ts'
import { type MailFacts, mailedInvoiceOf, readMailedInvoice } from './mail-facts.ts'
import { type BillingMailDeps, sendBillingMail } from './send-billing-mail.ts'

interface OfInvoice {
  userid: string
  invoiceId: string
}

/** An invoice was paid; `isRestored`: with it goes on what it had stopped. One that cost nothing is not mailed. */
export async function mailPaid(
  deps: BillingMailDeps,
  trx: Trx,
  { payment, invoice, at, isRestored }: { payment: PaymentRow; invoice: InvoiceRow; at: Date; isRestored: boolean },
): Promise<void> {
  const { id, userid, invoice_id: invoiceId } = payment
  const total = payment.promo_minor + payment.balance_minor + payment.rolled_minor + payment.card_minor
  if (total === 0) return
  const receipt = async () => {
    return { invoice: await mailedInvoiceOf(trx, invoice), payment, card: await findCard(trx, payment), at }
  }
  await sendBillingMail(deps, trx, { userid, kind: 'receipt', key: id, facts: receipt })
  if (!isRestored) return
  const restored = async () => ({ invoice: await mailedInvoiceOf(trx, invoice) })
  await sendBillingMail(deps, trx, { userid, kind: 'restored', key: invoiceId, facts: restored })
}

/** A try to collect a renewal failed; `nextAt`: when the next one is made, null after the last. */
export async function mailFailed(
  deps: BillingMailDeps,
  trx: Trx,
  {
    userid,
    invoiceId,
    tries,
    ...facts
  }: OfInvoice & { tries: number } & Pick<MailFacts['failed'], 'code' | 'nextAt' | 'at'>,
): Promise<void> {
  const stopsAt = facts.nextAt && pastDueAt(facts.nextAt, tries)
  const invoice = await readMailedInvoice(trx, userid, invoiceId)
  await sendBillingMail(deps, trx, {
    ...{ userid, kind: 'failed', key: `${invoiceId} ${tries}` },
    facts: { ...facts, invoice, stopsAt, keptUntil: stopsAt && graceEnd(stopsAt) },
  })
}

/** The bank declined a payment: mailed where it was a try of ours, with nobody at the console. */
export async function mailDeclined(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, invoice_id: invoiceId }: PaymentRow,
  { code, at }: { code: DeclineCode; at: Date },
): Promise<void> {
  const due = await trx
    .selectFrom('dunnings')
    .leftJoin('due_items', (join) =>
      join
        .onRef('due_items.userid', '=', 'dunnings.userid')
        .onRef('due_items.object', '=', 'dunnings.invoice_id')
        .on('due_items.kind', '=', dueKinds.renewalTry),
    )
    .select(['tries', 'due_at'])
    .where('invoice_id', '=', invoiceId)
    .where('past_due_at', 'is', null)
    .executeTakeFirst()
  if (!due) return
  const nextAt = due.tries <= 3 ? due.due_at : null
  await mailFailed(deps, trx, { userid, invoiceId, tries: due.tries, code, nextAt, at })
}

/** A try of ours waits for the customer's bank. Who pays by themselves is shown the page. */
export async function mailApproval(
  deps: BillingMailDeps,
  trx: Trx,
  { id, userid, invoice_id: invoiceId, card_minor: minor }: PaymentRow,
): Promise<void> {
  const invoice = await readMailedInvoice(trx, userid, invoiceId)
  if (invoice.kind === 'order' || invoice.kind === 'plan') return
  const facts = { invoice, amount: money(minor, invoice.currency) }
  await sendBillingMail(deps, trx, { userid, kind: 'approve', key: id, facts })
}

/** All tries failed: what stands on the invoice is stopped, and kept `until`. */
export async function mailStopped(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, invoiceId, until }: OfInvoice & { until: Date },
): Promise<void> {
  const invoice = await readMailedInvoice(trx, userid, invoiceId)
  await sendBillingMail(deps, trx, { userid, kind: 'stopped', key: invoiceId, facts: { invoice, until } })
}

/** The days of grace are over. */
export async function mailDestroyed(deps: BillingMailDeps, trx: Trx, { userid, invoiceId }: OfInvoice): Promise<void> {
  const invoice = await readMailedInvoice(trx, userid, invoiceId)
  await sendBillingMail(deps, trx, { userid, kind: 'destroyed', key: invoiceId, facts: { invoice } })
}

/** What somebody destroyed gave something back. */
export async function mailRefund(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, clusterId, refund, at }: { userid: string; clusterId: string; refund: PricedRefund; at: Date },
): Promise<void> {
  const { toBalance, offOwed, toPromo, lapsedPromo } = refund
  if (toBalance.minor + offOwed.minor + toPromo.minor === 0) return
  const { name } = await trx.selectFrom('clusters').select('name').where('id', '=', clusterId).executeTakeFirstOrThrow()
  const facts = { name, toBalance, offOwed, toPromo, lapsedPromo, at }
  const key = refund.items.map((item) => item.key).join(' ')
  await sendBillingMail(deps, trx, { userid, kind: 'refund', key, facts })
}

async function findCard(trx: Trx, { method_id }: PaymentRow): Promise<{ brand: string; last4: string } | null> {
  if (method_id === null) return null
  const card = trx.selectFrom('payment_methods').select(['brand', 'last4']).where('id', '=', method_id)
  const found = await card.executeTakeFirst()
  return found ? { ...found, brand: brandName(found.brand) } : null
}

/** A card's brand as it is written in a sentence. */
export function brandName(brand: string): string {
  return brand.replace(/^./, (letter) => letter.toUpperCase())
}
