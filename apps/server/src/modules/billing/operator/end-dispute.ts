import { type Money, money } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { lockOperated } from '../../accounts/index.ts'
import type { PaymentGateway } from '../../payments/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { takeDispute } from '../pay/movements/take-dispute.ts'
import { findDisputeBy } from '../records/dispute-store.ts'
import { findPayment } from '../records/documents/payment-store.ts'

interface EndDisputeDeps extends Pick<OrderDeps, 'keepUsageCovered'> {
  db: Db
  clock: Clock
  gateway: Pick<PaymentGateway, 'name'>
}

/**
 * Ends a dispute of a payment at a gateway that is not in use, which nobody can ask, as the operator saw it end there.
 * Gives the amount that the bank keeps. Throws what the operator can correct.
 */
export async function endDisputeByHand(
  { db, clock, gateway, keepUsageCovered }: EndDisputeDeps,
  which: string,
  verdict: 'won' | 'lost',
): Promise<Money> {
  const found = await findDisputeBy(db, which)
  if (!found) throw new OperatorError(`There is no dispute ${which}.`)
  const { userid, gateway: at, gateway_ref: ref, reason, payment_id: paymentId, capture_id: captureId } = found
  if (at === gateway.name) throw new OperatorError(`${at} is in use: it says how its disputes end.`)
  return await db.transaction().execute(async (trx) => {
    const { now } = await lockOperated(trx, userid)
    const { state, currency, amount_minor, withdrawn_minor } = (await findDisputeBy(trx, which)) ?? found
    if (state !== 'open' && state !== 'inquiry')
      throw new OperatorError(`The dispute ${which} has ended: it is ${state}.`)
    await keepUsageCovered(trx, userid)
    const payment = paymentId === null ? undefined : await findPayment(trx, paymentId)
    const withdrawn = money(verdict === 'won' ? 0 : withdrawn_minor || amount_minor, currency)
    const moved = {
      paymentRef: '',
      ref,
      amount: money(amount_minor, currency),
      withdrawn,
      state: verdict,
      reason,
      dueBy: null,
    }
    const charged = { userid, gateway: at, payment, paymentId, captureId }
    const isTaken = await takeDispute({ clock }, trx, charged, moved, now(clock))
    if (!isTaken) throw new OperatorError(`The invoice of ${which} is being paid: say it again in a minute.`)
    return withdrawn
  })
}
