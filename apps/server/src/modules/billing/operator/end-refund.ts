import { formatMajorUnits, type Money, money } from '@atoll/money'
import { OperatorError } from '../../../platform/operator-error.ts'
import { recordAudit } from '../../audit/index.ts'
import { type EndRefundDeps, endRefund } from '../pay/send-card-refund.ts'
import { findCardRefund, lateRefundMs } from '../records/card-refund-store.ts'

/**
 * Ends a refund by what the operator saw at its gateway, which is not in use or does not answer: done under that ref,
 * or, with null, declined, and on the balance again. Throws what the operator can correct.
 */
export async function endRefundByHand(deps: EndRefundDeps, id: string, ref: string | null): Promise<Money> {
  const refund = await findCardRefund(deps.db, { id, ref: id })
  if (!refund) throw new OperatorError(`There is no refund ${id}.`)
  const { userid, payment_id, capture_id, currency, amount_minor, created_at } = refund
  const known = ref === null ? undefined : await findCardRefund(deps.db, { id: null, ref })
  if (known && known.id !== refund.id)
    throw new OperatorError(`${ref} is the refund ${known.id}, which is booked: end ${id} as declined.`)
  const amount = money(amount_minor, currency)
  const outcome =
    ref === null ? ({ kind: 'declined', code: 'refundRefused' } as const) : ({ kind: 'done', ref } as const)
  const ended = await endRefund(deps, refund, outcome, async (trx, at) => {
    // A worker may be asking its gateway at this moment, and the card would have what is on the balance again.
    if (at.getTime() - created_at.getTime() < lateRefundMs)
      throw new OperatorError(`The refund ${id} has waited for less than a day: its gateway may answer yet.`)
    await recordAudit(trx, {
      ...({ actor: 'system', ip: null, action: 'payment.endRefund' } as const),
      object: { kind: 'payment', id: payment_id ?? capture_id ?? '', owner: userid },
      after: { amount: formatMajorUnits(amount), currency, refundState: outcome.kind },
    })
  })
  if (!ended) throw new OperatorError(`The refund ${id} has ended: it is ${refund.state}.`)
  return amount
}
