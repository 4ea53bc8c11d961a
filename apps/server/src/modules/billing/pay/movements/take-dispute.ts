/**
 * Posts a bank's dispute of a payment. Postings follow the amounts withdrawn and reinstated; an inquiry moves no money:
 *
 *   withdrawn    disputed ← gateway; the disputed amount lowers what the customer can spend
 *   reinstated   gateway ← disputed
 *   lost         taken from the customer's credit at once, so that the credit buys nothing else; for the rest the
 *                invoice is owed again and collected as any other (receivable ← disputed). The same holds for the rest
 *                of a dispute that was won and of which only a part came back
 *   back         a lost amount that the bank returns after all comes off the invoice, or is credit if the invoice was
 *                paid again
 *
 * Each posting is the difference between the gateway's figures and the postings so far, so repeats and any order change
 * nothing.
 */
import { formatMajorUnits, type Money, money } from '@atoll/money'
import type { Clock } from '../../../../platform/clock.ts'
import { derivedId } from '../../../../platform/crypto.ts'
import type { Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import { recordAudit } from '../../../audit/index.ts'
import { getBalance, postToLedger } from '../../../ledger/index.ts'
import type { MovedDispute } from '../../../payments/index.ts'
import type { Charged } from '../../records/card-refund-store.ts'
import { type DisputeRow, findDispute, keepDispute, spendable, sumLost } from '../../records/dispute-store.ts'
import type { InvoiceRow, PaymentRow } from '../../records/documents/document-tables.ts'
import { getDue } from '../../records/documents/invoice-due.ts'
import { addLost, getInvoice } from '../../records/documents/invoice-store.ts'
import { findOpenPayment } from '../../records/documents/payment-store.ts'
import { retryOwed } from '../../records/retry-owed.ts'
import { endPayment } from '../begin-payment.ts'
import { isUnderWay } from '../cancel-open-payment.ts'
import { collectAgain } from '../collect-again.ts'

export interface Disputed extends Charged {
  gateway: string
  /** The payment that was charged; undefined of an adopted capture. */
  payment: PaymentRow | undefined
}

/**
 * Brings the books to where the gateway shows a dispute. Under the account's lock; `at` is time of the account. False,
 * and nothing done, while the invoice that is to be owed again is being paid: that ends first.
 */
export async function takeDispute(
  { clock }: { clock: Clock },
  trx: Trx,
  { userid, gateway, payment, paymentId, captureId }: Disputed,
  moved: MovedDispute,
  at: Date,
): Promise<boolean> {
  const { ref, amount, withdrawn, state, reason, dueBy } = moved
  const before = await findDispute(trx, gateway, ref)
  const { currency } = amount
  const now = clock.now()
  const row: DisputeRow = before ?? {
    id: derivedId('dp', gateway, ref),
    userid,
    payment_id: paymentId,
    capture_id: captureId,
    gateway,
    gateway_ref: ref,
    currency,
    amount_minor: 0,
    withdrawn_minor: 0,
    lost_minor: 0,
    lost_cash_minor: 0,
    state,
    reason,
    due_by: dueBy,
    moves: 0,
    opened_at: now,
    ended_at: null,
  }
  if (withdrawn.currency !== row.currency) throw new Error(`The dispute ${row.id} is in ${row.currency}`)
  const invoice = payment && (await getInvoice(trx, userid, payment.invoice_id))
  // One that was won and of which nothing came back yet is on its way.
  const isPartlyWon = state === 'won' && withdrawn.minor < amount.minor
  const lost = state === 'lost' || isPartlyWon ? withdrawn.minor : 0
  const losing = lost - row.lost_minor - row.lost_cash_minor
  if (invoice && losing !== 0) {
    const open = await findOpenPayment(trx, invoice.id)
    if (open && isUnderWay(open)) return false
    // One that waits for a card no longer asks for the debt.
    if (open) await endPayment(trx, open, { event: 'canceled', at })
  }
  const books = bookkeeper(trx, row, at)
  if (losing < 0) await takeBack(trx, books, row, invoice, -losing)
  const moving = withdrawn.minor - row.withdrawn_minor
  if (moving !== 0) {
    await books.post('dispute', { driver: gateway, amount: money(moving, currency) })
    row.withdrawn_minor = withdrawn.minor
  }
  if (losing > 0) await lose(trx, books, row, { invoice, payment, losing, at })
  const isEnded = state === 'won' || state === 'lost' || state === 'closed'
  const isNews = before?.state !== state
  Object.assign(row, { state, reason, due_by: isEnded ? null : dueBy, amount_minor: amount.minor })
  row.ended_at = isEnded ? (row.ended_at ?? now) : null
  await keepDispute(trx, row)
  if (isNews) await recordDispute(trx, row, invoice)
  if (moving < 0) await retryOwed(trx, userid, at)
  await publishChange(trx, { account: userid, topic: 'billing', id: row.id })
  return true
}

interface Books {
  post(
    kind: 'dispute' | 'dispute_lost' | 'dispute_returned' | 'write_off',
    facts: { driver: string; amount: Money } | { receivable: Money; cash: Money } | { amount: Money },
  ): Promise<void>
}

/** Posts what becomes of a dispute, each under the next of its keys. */
function bookkeeper(trx: Trx, row: DisputeRow, at: Date): Books {
  const { id: document, userid } = row
  return {
    async post(kind, facts) {
      row.moves += 1
      // Facts of that kind: the callers below.
      await postToLedger(trx, { userid, at, kind, document, key: `${document} ${row.moves}`, facts: facts as never })
    },
  }
}

/** Credit pays for the loss at once. For the rest the invoice is owed again; what had not paid it is owed as cash. */
async function lose(
  trx: Trx,
  books: Books,
  row: DisputeRow,
  {
    invoice,
    payment,
    losing,
    at,
  }: { invoice: InvoiceRow | undefined; payment: PaymentRow | undefined; losing: number; at: Date },
): Promise<void> {
  const { userid, currency } = row
  const hadPaid = payment?.state === 'succeeded' ? payment.card_minor - payment.collected_minor : 0
  const others = await sumLost(trx, { userid, paymentId: row.payment_id, captureId: row.capture_id })
  const credit = await readFreeCredit(trx, row, losing)
  const owed = Math.min(Math.max(hadPaid - others, 0), Math.max(losing - credit, 0))
  const [receivable, cash] = [money(owed, currency), money(losing - owed, currency)]
  await books.post('dispute_lost', { receivable, cash })
  row.lost_minor += owed
  row.lost_cash_minor += cash.minor
  if (!invoice || owed === 0) return
  await addLost(trx, invoice, owed)
  // An invoice that was written off stays so, and may still be paid.
  if (invoice.state === 'uncollectible') await books.post('write_off', { amount: receivable })
  else await collectAgain(trx, invoice, at)
}

/**
 * Credit that can be spent once `losing` is no longer disputed: it pays for the loss before anything else. Minor units.
 */
async function readFreeCredit(trx: Trx, { userid, currency }: DisputeRow, losing: number): Promise<number> {
  const cash = await getBalance(trx, userid, 'cash', currency)
  const disputed = await getBalance(trx, userid, 'disputed', currency)
  return Math.max(-spendable(cash.minor, disputed.minor - losing), 0)
}

/** A lost amount is returned by the bank after all. */
async function takeBack(
  trx: Trx,
  books: Books,
  row: DisputeRow,
  invoice: InvoiceRow | undefined,
  back: number,
): Promise<void> {
  const { currency } = row
  const cash = Math.min(back, row.lost_cash_minor)
  const ofInvoice = back - cash
  const isOwed = invoice?.state === 'open' || invoice?.state === 'uncollectible'
  const due = invoice && isOwed ? Math.min((await getDue(trx, invoice)).minor, ofInvoice) : 0
  if (invoice?.state === 'uncollectible' && due > 0) await books.post('write_off', { amount: money(-due, currency) })
  await books.post('dispute_returned', { receivable: money(due, currency), cash: money(back - due, currency) })
  row.lost_cash_minor -= cash
  row.lost_minor -= ofInvoice
  if (invoice && due > 0) await addLost(trx, invoice, -due)
}

async function recordDispute(trx: Trx, row: DisputeRow, invoice: InvoiceRow | undefined): Promise<void> {
  const { id, userid, currency } = row
  await recordAudit(trx, {
    ...({ actor: 'system', ip: null, action: 'payment.dispute' } as const),
    object: { kind: 'payment', id: row.payment_id ?? row.capture_id ?? id, owner: userid, name: invoice?.number },
    before: null,
    after: { amount: formatMajorUnits(money(row.amount_minor, currency)), currency, disputeState: row.state },
  })
}
