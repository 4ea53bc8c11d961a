import type { Money } from '@atoll/money'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { getBalance, postToLedger } from '../../ledger/index.ts'
import type { PaymentRow } from '../records/documents/document-tables.ts'
import { retryOwed } from '../records/retry-owed.ts'
import { orderCardRefund } from './order-card-refund.ts'
import { cardPaidBy } from './payment-parts.ts'

/**
 * A card paid for a payment that was canceled meanwhile: the amount becomes credit, and owed bills are tried again with
 * it at once. If the account owes nothing, the amount is refunded to the card automatically and held until then, so
 * that nobody spends it meanwhile. Safe to repeat.
 */
export async function takeLateCapture(trx: Trx, payment: PaymentRow, captured: Money, at: Date): Promise<void> {
  const { id, userid } = payment
  const isNeeded = await owes(trx, payment)
  const facts = { driver: cardPaidBy(payment), amount: captured }
  const { isNew } = await postToLedger(trx, {
    userid,
    at,
    kind: 'late_capture',
    facts,
    document: id,
    key: `${id} late`,
  })
  if (!isNew) return
  if (isNeeded) await retryOwed(trx, userid, at)
  else await orderCardRefund(trx, { userid, paymentId: id, captureId: null }, { amount: captured, at })
  await publishChange(trx, { account: userid, topic: 'billing', id })
}

async function owes(db: Db, { userid, currency }: PaymentRow): Promise<boolean> {
  if ((await getBalance(db, userid, 'cash', currency)).minor > 0) return true
  const open = db.selectFrom('invoices').select('id').where('userid', '=', userid)
  return (await open.where('state', 'in', ['open', 'uncollectible']).executeTakeFirst()) !== undefined
}
