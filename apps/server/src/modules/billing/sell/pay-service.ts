import { type PaymentAnswer, paymentPay } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { awaitOutcome, paymentAnswer } from '../pay/await-outcome.ts'
import { payInvoice } from '../pay/bills/pay-invoice.ts'
import { cancelOpenPayment, isUnderWay } from '../pay/cancel-open-payment.ts'
import type { AttemptDeps } from '../records/attempt-deps.ts'
import { findPayableInvoice } from '../records/documents/invoice-store.ts'
import { findLaterPayment, findOpenPayment } from '../records/documents/payment-store.ts'
import { getMethod } from './own-method.ts'

export interface PayRequest {
  invoiceId: string
  methodId?: string | undefined
  requestId?: string | undefined
}

interface Begun {
  paymentId: string
  /** That payment is by another card than the one that is to pay, which does where that one does not. */
  isReplaced: boolean
}

/**
 * Pays an invoice of the caller, and waits for the outcome. A request key remembers the payment that was begun; its
 * state is read on each call. If a payment of the invoice is under way already, that one is returned. If the caller
 * names another card, that card is charged if the running payment fails, and a payment that waits for its customer is
 * canceled first.
 */
export async function pay(
  deps: AttemptDeps,
  caller: Caller,
  request: PayRequest,
  locale: Locale,
): Promise<PaymentAnswer> {
  const { userid } = caller
  const key = { owner: userid, call: paymentPay.name, body: { ...request } }
  const begun = await once(deps, key, (trx) => begin(deps, trx, caller, request))
  const payment = await awaitOutcome(deps, { userid, paymentId: begun.paymentId })
  const hasFailed = payment.state === 'canceled' || payment.state === 'declined'
  if (!begun.isReplaced || !hasFailed) return paymentAnswer(payment, locale)
  const next = await deps.db.transaction().execute(async (trx) => {
    await deps.accounts.lockLimits(trx, userid)
    // A repeated request finds the payment that the first one began then.
    const invoice = await findPayableInvoice(trx, userid, payment.invoice_id)
    const later = await findLaterPayment(trx, payment, [payment.invoice_id, invoice?.id ?? payment.invoice_id])
    return later ? { paymentId: later.id } : await begin(deps, trx, caller, request)
  })
  return paymentAnswer(await awaitOutcome(deps, { userid, paymentId: next.paymentId }), locale)
}

async function begin(deps: AttemptDeps, trx: Trx, caller: Caller, request: PayRequest): Promise<Begun> {
  const { userid } = caller
  const at = accountNow(await deps.accounts.lockLimits(trx, userid), deps.clock.now())
  const invoice = await findPayableInvoice(trx, userid, request.invoiceId)
  if (!invoice) return refuse('notFound', { object: 'invoice' })
  if (invoice.payment_id !== null) return { paymentId: invoice.payment_id, isReplaced: false }
  const method = await getMethod(deps, trx, userid, request.methodId)
  const open = await findOpenPayment(trx, invoice.id)
  if (open && isUnderWay(open) && request.methodId !== undefined && open.method_id !== request.methodId) {
    if (open.state === 'needs_action') {
      await cancelOpenPayment(trx, { invoiceId: invoice.id, at, because: 'another' })
    }
    return { paymentId: open.id, isReplaced: true }
  }
  const attempted = await payInvoice(deps, trx, { userid, invoiceId: invoice.id, at, method })
  if (!attempted) return refuse('invoiceClosed', { number: invoice.number })
  const { paymentId, isNew, paid } = attempted
  if (isNew && !paid && !method) return refuse('cardNeeded')
  if (isNew) {
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'invoice.pay',
      object: { kind: 'invoice', id: attempted.invoiceId, owner: userid, name: invoice.number },
    })
  }
  return { paymentId, isReplaced: false }
}
