/** The operator's refunds (`npm run admin`): audited, published and posted in one transaction. */
import { formatMajorUnits, type Money, parseMajorUnits } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { lockOperated } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { orderCardRefund } from '../pay/order-card-refund.ts'
import { findAdoptedCapture } from '../records/capture-store.ts'
import type { Charged } from '../records/card-refund-store.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { findPayment } from '../records/documents/payment-store.ts'
import { type AdoptDeps, getLostCapture, takeOver } from './adopt-capture.ts'

export type RefundPaymentDeps = AdoptDeps & Pick<OrderDeps, 'keepUsageCovered'>

/** A charge that can be refunded, its currency, and the number of the document that it paid. */
interface Refundable extends Charged {
  currency: Money['currency']
  number: string | null
}

/**
 * Sends `amount`, in major units, back to the card of a payment, or of a capture of which no payment is here: that is
 * adopted first. Throws what the operator can correct.
 */
export async function refundPayment(
  deps: RefundPaymentDeps,
  which: string,
  text: string,
): Promise<{ refundId: string; amount: Money }> {
  const { db } = deps
  const payment = await findPayment(db, which)
  const adopted = payment ? undefined : await findAdoptedCapture(db, which)
  const lost = payment || adopted ? undefined : await getLostCapture(deps, which)
  return await db.transaction().execute(async (trx) => {
    if (payment) {
      const { number } = await getInvoice(trx, payment.userid, payment.invoice_id)
      const { userid, id: paymentId, currency } = payment
      return await refundCharge(deps, trx, { userid, paymentId, captureId: null, currency, number }, text)
    }
    const capture = adopted ?? (lost && (await takeOver(deps, trx, lost.userid, lost.capture)))
    if (!capture) throw new OperatorError(`There is no payment ${which}.`)
    const { userid, id: captureId, currency, number } = capture
    return await refundCharge(deps, trx, { userid, paymentId: null, captureId, currency, number }, text)
  })
}

async function refundCharge(
  { clock, keepUsageCovered }: RefundPaymentDeps,
  trx: Trx,
  { currency, number, ...charged }: Refundable,
  text: string,
): Promise<{ refundId: string; amount: Money }> {
  const { userid, now } = await lockOperated(trx, charged.userid)
  const amount = parseMajorUnits(text, currency)
  if (!amount || amount.minor <= 0) throw new OperatorError(`"${text}" is no amount above zero, such as 14.40.`)
  await keepUsageCovered(trx, userid)
  const ordered = await orderCardRefund(trx, charged, { amount, at: now(clock) })
  if (typeof ordered !== 'string') {
    if (ordered.of === 'dispute')
      throw new OperatorError('Its bank disputes it: nothing can go back until that is decided.')
    const most = `${formatMajorUnits(ordered.left)} ${currency}`
    const limit = ordered.of === 'card' ? `of what the card paid, ${most} can go back` : `the balance holds ${most}`
    throw new OperatorError(`${text} ${currency} is too much: ${limit}.`)
  }
  await recordAudit(trx, {
    ...({ actor: 'system', ip: null, action: 'payment.refund' } as const),
    object: {
      kind: 'payment',
      id: charged.paymentId ?? charged.captureId ?? '',
      owner: userid,
      ...(number !== null && { name: number }),
    },
    before: null,
    after: { amount: formatMajorUnits(amount), currency },
  })
  return { refundId: ordered, amount }
}
