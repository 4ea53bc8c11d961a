/** The mails of what happens to invoices, in the transaction in which it happens. */
import type { DeclineCode } from '@atoll/contract/payments'
import { type Money, money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import type { PricedRefund } from '../pricing/price-refund.ts'
import { findCopiedCard } from '../records/documents/document-copies.ts'
import type { InvoiceRow, PaymentRow } from '../records/documents/document-tables.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { graceEnd, pastDueAt } from '../records/dunning-days.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { collectingKey, type MailFacts, mailedInvoiceOf } from './mail-facts.ts'
import { type BillingMailDeps, sendBillingMail } from './send-billing-mail.ts'

interface OfBill {
  invoice: InvoiceRow
  /** Still to pay, if the caller knows. */
  due?: Money
}

/** An invoice was paid; `isRestored`: with it goes on what it had stopped. One that cost nothing is not mailed. */
export async function mailPaid(
  deps: BillingMailDeps,
  trx: Trx,
  { payment, invoice, at, isRestored }: { payment: PaymentRow; invoice: InvoiceRow; at: Date; isRestored: boolean },
): Promise<void> {
  const { id, userid } = payment
  const total = payment.promo_minor + payment.balance_minor + payment.rolled_minor + payment.card_minor
  if (total === 0) return
  // It paid all that was due.
  const due = money(total - payment.collected_minor, invoice.currency)
  const receipt = async () => {
    return { invoice: await mailedInvoiceOf(trx, invoice, due), payment, card: await findCard(trx, payment), at }
  }
  await sendBillingMail(deps, trx, { userid, kind: 'receipt', key: id, facts: receipt })
  if (!isRestored) return
  const restored = async () => ({ invoice: await mailedInvoiceOf(trx, invoice, due) })
  await sendBillingMail(deps, trx, {
    userid,
    kind: 'restored',
    key: collectingKey(invoice),
    facts: restored,
  })
}

/** A try to collect a renewal failed; `nextAt`: when the next one is made, null after the last. */
export async function mailFailed(
  deps: BillingMailDeps,
  trx: Trx,
  { invoice, due, tries, ...facts }: OfBill & { tries: number } & Pick<MailFacts['failed'], 'code' | 'nextAt' | 'at'>,
): Promise<void> {
  const stopsAt = facts.nextAt && pastDueAt(facts.nextAt, tries)
  await sendBillingMail(deps, trx, {
    userid: invoice.userid,
    kind: 'failed',
    key: `${collectingKey(invoice)} ${tries}`,
    facts: async () => {
      const mailed = await mailedInvoiceOf(trx, invoice, due)
      return { ...facts, invoice: mailed, stopsAt, keptUntil: stopsAt && graceEnd(stopsAt) }
    },
  })
}

/** The bank declined a payment: mailed if we made the attempt, with nobody at the console. */
export async function mailDeclined(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, invoice_id: invoiceId }: PaymentRow,
  { code, at }: { code: DeclineCode; at: Date },
): Promise<void> {
  const due = await findNextTry(trx, invoiceId)
  if (!due) return
  const nextAt = due.tries <= 3 ? due.due_at : null
  const invoice = await getInvoice(trx, userid, invoiceId)
  await mailFailed(deps, trx, { invoice, tries: due.tries, code, nextAt, at })
}

/** Of the tries that wait for the bank, one in the last two days before what stands on the invoice is stopped. ms */
const lastApprovalMs = 2 * 24 * 60 * 60_000

/**
 * An attempt that we made waits for the customer's bank: mailed at the first such attempt, and once more in the last
 * two days before the stop, because each new attempt ends the page of the one before. A customer who pays at the
 * console is shown the page.
 */
export async function mailApproval(
  deps: BillingMailDeps,
  trx: Trx,
  { id, userid, invoice_id: invoiceId, card_minor: minor, round }: PaymentRow,
  at: Date,
): Promise<void> {
  const invoice = await getInvoice(trx, userid, invoiceId)
  // One that a dispute opened again is collected by us, whatever it was for.
  if (round === 0 && (invoice.kind === 'order' || invoice.kind === 'plan')) return
  const due = await findNextTry(trx, invoiceId)
  const stopsAt = due?.due_at ? pastDueAt(due.due_at, due.tries) : null
  const which = stopsAt && (stopsAt.getTime() - at.getTime() > lastApprovalMs ? 'first' : 'last')
  const amount = money(minor, invoice.currency)
  await sendBillingMail(deps, trx, {
    userid,
    kind: 'approve',
    key: which ? `${collectingKey(invoice)} ${which}` : id,
    facts: async () => {
      const mailed = await mailedInvoiceOf(trx, invoice)
      return { invoice: mailed, amount, stopsAt, keptUntil: stopsAt && graceEnd(stopsAt) }
    },
  })
}

/** How often a bill that is not past due was tried, and when it is tried next; null: never. */
async function findNextTry(trx: Trx, invoiceId: string): Promise<{ tries: number; due_at: Date | null } | undefined> {
  return await trx
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
}

/** All tries failed: what stands on the invoice is stopped, and kept `until`. */
export async function mailStopped(
  deps: BillingMailDeps,
  trx: Trx,
  { invoice, due, until }: OfBill & { until: Date },
): Promise<void> {
  const facts = async () => ({ invoice: await mailedInvoiceOf(trx, invoice, due), until })
  await sendBillingMail(deps, trx, { userid: invoice.userid, kind: 'stopped', key: collectingKey(invoice), facts })
}

/** The days of grace are over. */
export async function mailDestroyed(deps: BillingMailDeps, trx: Trx, { invoice, due }: OfBill): Promise<void> {
  const facts = async () => ({ invoice: await mailedInvoiceOf(trx, invoice, due) })
  await sendBillingMail(deps, trx, { userid: invoice.userid, kind: 'destroyed', key: collectingKey(invoice), facts })
}

/** The refund for destroyed instances; no mail if nothing was refunded. */
export async function mailRefund(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, clusterId, refund, at }: { userid: string; clusterId: string; refund: PricedRefund; at: Date },
): Promise<void> {
  const { toBalance, offOwed, toPromo } = refund
  if (toBalance.minor + offOwed.minor + toPromo.minor === 0) return
  const { name } = await trx
    .selectFrom('owned_clusters')
    .select('name')
    .where('id', '=', clusterId)
    .executeTakeFirstOrThrow()
  const facts = { name, toBalance, offOwed, toPromo, at }
  const key = refund.items.map((item) => item.key).join(' ')
  await sendBillingMail(deps, trx, { userid, kind: 'refund', key, facts })
}

/** A refund to the card was returned by the bank, and is on the balance. */
export async function mailRefundReturned(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, refundId, amount, at }: { userid: string; refundId: string; amount: Money; at: Date },
): Promise<void> {
  await sendBillingMail(deps, trx, { userid, kind: 'refundReturned', key: refundId, facts: { amount, at } })
}

/** A refund to the card that counted as declined went there after all, and is no longer on the balance. */
export async function mailRefundDone(
  deps: BillingMailDeps,
  trx: Trx,
  { userid, refundId, amount, at }: { userid: string; refundId: string; amount: Money; at: Date },
): Promise<void> {
  await sendBillingMail(deps, trx, { userid, kind: 'refundDone', key: refundId, facts: { amount, at } })
}

async function findCard(trx: Trx, { id, method_id }: PaymentRow): Promise<{ brand: string; last4: string } | null> {
  const card = method_id === null ? undefined : await findCopiedCard(trx, id)
  return card ? { ...card, brand: brandName(card.brand) } : null
}

/** A card's brand as it is written in a sentence. */
export function brandName(brand: string): string {
  return brand.replace(/^./, (letter) => letter.toUpperCase())
}
