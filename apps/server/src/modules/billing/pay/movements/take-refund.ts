/**
 * Refunds as the gateway shows them: those made in its dashboard, and completed ones that are returned. Refunds that we
 * requested end in pay/send-card-refund.ts.
 */
import { formatMajorUnits, money } from '@atoll/money'
import { derivedId } from '../../../../platform/crypto.ts'
import type { Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import { enqueueJob } from '../../../../platform/jobs/index.ts'
import type { Log } from '../../../../platform/log.ts'
import { recordAudit } from '../../../audit/index.ts'
import { postToLedger } from '../../../ledger/index.ts'
import type { MovedRefund } from '../../../payments/index.ts'
import { mailRefundDone, mailRefundReturned } from '../../mails/mail-hooks.ts'
import type { BillingMailDeps } from '../../mails/send-billing-mail.ts'
import {
  type CardRefundRow,
  type Charged,
  completeDeclined,
  findCardRefund,
  insertForeignRefund,
  returnCardRefund,
} from '../../records/card-refund-store.ts'
import { retryOwed } from '../../records/retry-owed.ts'
import { cardRefundJob } from '../order-card-refund.ts'

/** Under the account's lock; `at` is time of the account. Safe to repeat. */
export async function takeRefund(
  deps: BillingMailDeps,
  trx: Trx,
  { gateway, ...charged }: Charged & { gateway: string },
  moved: MovedRefund,
  { at, log }: { at: Date; log: Log },
): Promise<void> {
  const { refundId, ref, state } = moved
  const refund = await findCardRefund(trx, { id: refundId, ref })
  if (!refund) {
    if (state === 'done') await bookForeign(trx, { gateway, ...charged }, moved, at)
    return
  }
  if (refund.state === 'pending' && state !== 'pending') {
    const { id } = refund
    await enqueueJob(trx, cardRefundJob, { refundId: id }, { key: `${cardRefundJob}:${id}` })
  }
  if (refund.state === 'done' && state === 'failed') await takeReturned(deps, trx, { gateway, refund, at })
  if (refund.state === 'declined' && state === 'done') await takeCompleted(deps, trx, { gateway, refund, ref, at })
  if (refund.state === 'returned' && state === 'done')
    log.error({ refund: refund.id, ref }, 'a refund that was returned is done at the gateway')
}

/** The operator gave money back without us: the customer has it, so it comes off their balance, below it too. */
async function bookForeign(
  trx: Trx,
  { userid, paymentId, captureId, gateway }: Charged & { gateway: string },
  { ref, refundId, amount }: MovedRefund,
  at: Date,
): Promise<void> {
  const id = refundId ?? derivedId('rf', gateway, ref)
  const { minor: amount_minor, currency } = amount
  const of = { payment_id: paymentId, capture_id: captureId }
  await insertForeignRefund(trx, { id, userid, ...of, currency, amount_minor, created_at: at, gateway_ref: ref })
  const facts = { driver: gateway, amount, isHeld: false }
  await postToLedger(trx, { userid, at, kind: 'card_refund', facts, document: id, key: `${id} refunded` })
  await publishChange(trx, { account: userid, topic: 'billing', id })
}

/**
 * A refund that counted as declined, most often because the operator ended it by hand, went to the card after all: it
 * comes off the balance that it had been put back to, below it too. Overview tells staff (books/open-money.ts).
 */
async function takeCompleted(
  deps: BillingMailDeps,
  trx: Trx,
  { gateway, refund, ref, at }: { gateway: string; refund: CardRefundRow; ref: string; at: Date },
): Promise<void> {
  const { id, userid, payment_id, capture_id, currency, amount_minor } = refund
  const amount = money(amount_minor, currency)
  await completeDeclined(trx, id, { ref, at })
  const facts = { driver: gateway, amount, isHeld: false }
  await postToLedger(trx, { userid, at, kind: 'card_refund', facts, document: id, key: `${id} refunded` })
  await recordAudit(trx, {
    ...({ actor: 'system', ip: null, action: 'payment.endRefund' } as const),
    object: { kind: 'payment', id: payment_id ?? capture_id ?? '', owner: userid },
    after: { amount: formatMajorUnits(amount), currency, refundState: 'done' },
  })
  await mailRefundDone(deps, trx, { userid, refundId: id, amount, at })
  await publishChange(trx, { account: userid, topic: 'billing', id })
}

/** The bank returned a refund that had been sent to the card, possibly weeks later. */
async function takeReturned(
  deps: BillingMailDeps,
  trx: Trx,
  { gateway, refund, at }: { gateway: string; refund: CardRefundRow; at: Date },
): Promise<void> {
  const { id, userid, currency, amount_minor } = refund
  const amount = money(amount_minor, currency)
  await returnCardRefund(trx, id)
  const facts = { driver: gateway, amount }
  await postToLedger(trx, { userid, at, kind: 'refund_returned', facts, document: id, key: `${id} returned` })
  await mailRefundReturned(deps, trx, { userid, refundId: id, amount, at })
  await retryOwed(trx, userid, at)
  await publishChange(trx, { account: userid, topic: 'billing', id })
}
