import { money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { declinePayment } from '../pay/begin-payment.ts'
import { settlePayment } from '../pay/settle.ts'
import { movePaymentOn } from '../records/documents/payment-store.ts'

/** Whether every card pays, or none does. */
export type Cards = 'pay' | 'decline'

/** Ends the payments that wait for a card as if it had been charged, or declined. */
export async function assumeCards(
  deps: OrderDeps,
  trx: Trx,
  { userid, at, cards }: { userid: string; at: Date; cards: Cards },
): Promise<void> {
  const payments = await trx
    .selectFrom('payments')
    .selectAll()
    .where('userid', '=', userid)
    .where('method_id', 'is not', null)
    .where('state', 'not in', ['succeeded', 'declined', 'canceled'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const payment of payments) {
    if (payment.state === 'created') await movePaymentOn(trx, payment, 'sent', { at })
    const sent = { ...payment, state: payment.state === 'created' ? ('sending' as const) : payment.state }
    if (cards === 'decline') {
      await declinePayment(deps, trx, sent, { at, code: 'cardDeclined' })
    } else {
      const captured = money(payment.card_minor, payment.currency)
      await settlePayment(deps, trx, { userid, paymentId: payment.id, at, captured })
    }
  }
}
