import { type Money, money } from '@atoll/money'
import { newId } from '../../../../platform/crypto.ts'
import type { Trx } from '../../../../platform/db/index.ts'
import { postToLedger } from '../../../ledger/index.ts'
import type { OrderDeps } from '../../billing-deps.ts'
import { freeCouponCards } from '../../records/coupon-cards.ts'
import { type CreditedLine, insertCreditNote } from '../../records/documents/credit-note-store.ts'
import type { CreditCause, InvoiceItemRow, InvoiceRow } from '../../records/documents/document-tables.ts'
import { giveBackPaid } from '../../records/documents/promo-store.ts'
import { earnedBy } from './earned-items.ts'

/** `cash`, `promo` and `offOwed` sum to what the lines give back, net of their discounts. */
export interface Credit {
  invoice: InvoiceRow
  cause: CreditCause
  /** In staff's words, of what they refund. */
  reason?: string
  lines: readonly (CreditedLine & Pick<InvoiceItemRow, 'revenue'>)[]
  cash: Money
  /** Back to the grants that it came from. */
  promo: Money
  /** Comes off what is owed of the invoice. */
  offOwed: Money
  /** Time of the account. */
  at: Date
}

/** The credit note of an invoice that no card is asked for, posted. The caller holds the account's lock. */
export async function postCredit(
  { clock }: Pick<OrderDeps, 'clock'>,
  trx: Trx,
  { invoice, cause, reason, lines, cash, promo, offOwed, at }: Credit,
): Promise<void> {
  const { userid, currency, id: invoiceId } = invoice
  const id = newId('cn')
  await insertCreditNote(
    trx,
    {
      id,
      userid,
      invoice_id: invoiceId,
      currency,
      issued_at: at,
      recorded_at: clock.now(),
      cash_minor: cash.minor,
      promo_minor: promo.minor,
      receivable_minor: offOwed.minor,
      cause,
      ...(reason !== undefined && { reason }),
    },
    lines.map(({ line, amount_minor, discount_minor }) => ({ line, amount_minor, discount_minor })),
  )
  // The credited part of an invoice that was written off becomes owed again.
  if (invoice.state === 'uncollectible' && offOwed.minor > 0) {
    const about = { userid, at, document: invoiceId, key: `${id} recovered` }
    await postToLedger(trx, { ...about, kind: 'write_off', facts: { amount: money(-offOwed.minor, currency) } })
  }
  const facts = { items: earnedBy(lines, currency), to: { cash, receivable: offOwed, promo } }
  if (cash.minor + promo.minor + offOwed.minor > 0) {
    await postToLedger(trx, { userid, at, kind: 'credit_note', facts, document: id, key: `${id} issued` })
  }
  if (promo.minor > 0) await giveBackPaid(trx, invoiceId, promo)
  await freeCouponCards(trx, invoice)
}
