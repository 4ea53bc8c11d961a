/** What the operator decides about money (`npm run admin`): audited, published and posted in one transaction. */
import { formatMajorUnits, type Money, parseMajorUnits } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { lockOperated } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { orderCardRefund } from '../card-refunds/order-card-refund.ts'
import { getInvoice } from '../documents/invoice-store.ts'
import { getPayment } from '../documents/payment-store.ts'

/** Sends `amount`, in major units, back to the card of a payment. Throws what the operator can correct. */
export async function refundPayment(
  { db, clock }: { db: Db; clock: Clock },
  paymentId: string,
  text: string,
): Promise<{ refundId: string; amount: Money }> {
  const row = await db.selectFrom('payments').select('userid').where('id', '=', paymentId).executeTakeFirst()
  if (!row) throw new OperatorError(`There is no payment ${paymentId}.`)
  return await db.transaction().execute(async (trx) => {
    const { userid, now } = await lockOperated(trx, row.userid)
    const payment = await getPayment(trx, userid, paymentId)
    const amount = parseMajorUnits(text, payment.currency)
    if (!amount || amount.minor <= 0) throw new OperatorError(`"${text}" is no amount above zero, such as 14.40.`)
    const ordered = await orderCardRefund(trx, payment, { amount, at: now(clock) })
    if (typeof ordered !== 'string') {
      const most = `${formatMajorUnits(ordered.left)} ${payment.currency}`
      const limit = ordered.of === 'card' ? `of what the card paid, ${most} can go back` : `the balance holds ${most}`
      throw new OperatorError(`${text} ${payment.currency} is too much: ${limit}.`)
    }
    const { number } = await getInvoice(trx, userid, payment.invoice_id)
    await recordAudit(trx, {
      ...({ actor: 'system', ip: null, action: 'payment.refund' } as const),
      object: { kind: 'payment', id: paymentId, owner: userid, name: number },
      before: null,
      after: { amount: formatMajorUnits(amount), currency: payment.currency },
    })
    return { refundId: ordered, amount }
  })
}
