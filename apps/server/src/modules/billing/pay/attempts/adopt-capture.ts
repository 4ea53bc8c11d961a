/**
 * Before the first charge of a document, after each start and each resume from a restore: what the gateway took for it
 * already, of which nothing is known here. Its captures are listed, because keys protect for a day only and a search
 * lags behind. A match pays the document; one of another amount becomes credit. Nothing is charged meanwhile.
 */
import { money } from '@atoll/money'
import { countResumptions } from '../../../../platform/careful/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { Log } from '../../../../platform/log.ts'
import { accountNow } from '../../../accounts/index.ts'
import { type Capture, listCustomers, type PaymentGateway } from '../../../payments/index.ts'
import type { AttemptDeps } from '../../records/attempt-deps.ts'
import { keepCapture, listUnknownCaptures } from '../../records/capture-store.ts'
import type { PaymentRow } from '../../records/documents/document-tables.ts'
import { getPayment, movePaymentOn, updatePayment } from '../../records/documents/payment-store.ts'
import { isEnd, paymentTransitions } from '../../records/documents/states.ts'
import { enqueueMovements } from '../../records/movements-queue.ts'
import { endPayment } from '../begin-payment.ts'
import { settlePayment } from '../settle.ts'

export interface CaptureAdoption {
  /** `adopted`: the payment is paid, or ended because what was found is credit now. */
  adopt(payment: PaymentRow, log: Log): Promise<{ kind: 'none' | 'adopted' } | { kind: 'unknown'; why: string }>
}

export function captureAdoption(deps: AttemptDeps): CaptureAdoption {
  const { db, gateway } = deps
  const listed = new Set<string>()
  return {
    async adopt(payment, log) {
      const document = `${await countResumptions(db)} ${payment.invoice_id}`
      if (listed.has(document)) return { kind: 'none' }
      const found = await findCaptures(db, gateway, payment)
      if (found.kind === 'unknown') return found
      const [capture] = found.captures
      if (!capture) {
        listed.add(document)
        return { kind: 'none' }
      }
      const { ref, amount } = capture
      log.warn({ payment: payment.id, ref, minor: amount.minor }, 'a capture of this document was found and adopted')
      await adopt(deps, payment, capture)
      return { kind: 'adopted' }
    },
  }
}

/** Captures of the payment's document that nothing here knows. */
async function findCaptures(
  db: Db,
  gateway: Pick<PaymentGateway, 'name' | 'listCaptures'>,
  { userid, invoice_id }: PaymentRow,
): Promise<{ kind: 'found'; captures: Capture[] } | { kind: 'unknown'; why: string }> {
  const captures: Capture[] = []
  for (const customer of await listCustomers(db, userid, gateway.name)) {
    for (let after: string | null = null, goesOn = true; goesOn; ) {
      const page: Awaited<ReturnType<PaymentGateway['listCaptures']>> = await gateway.listCaptures({ after, customer })
      if (page.kind === 'unknown') return page
      captures.push(...page.captures.filter(({ pays }) => pays?.document === invoice_id))
      after = page.next
      goesOn = after !== null
    }
  }
  return { kind: 'found', captures: await listUnknownCaptures(db, gateway.name, captures) }
}

async function adopt(deps: AttemptDeps, { id, userid }: PaymentRow, capture: Capture): Promise<void> {
  const { db, clock, accounts, gateway } = deps
  await db.transaction().execute(async (trx) => {
    const at = accountNow(await accounts.lockLimits(trx, userid), clock.now())
    const payment = await getPayment(trx, userid, id)
    if (isEnd(paymentTransitions, payment.state) || payment.gateway_ref !== null) return
    // The operator may have taken it over since it was listed.
    if ((await listUnknownCaptures(trx, gateway.name, [capture])).length === 0) return
    if (payment.state === 'created') await movePaymentOn(trx, payment, 'sent', { at })
    const sent = { ...payment, state: payment.state === 'created' ? ('sending' as const) : payment.state }
    const asked = money(payment.card_minor, payment.currency)
    const { amount, ref, paymentId } = capture
    if (amount.minor === asked.minor && amount.currency === asked.currency) {
      await updatePayment(trx, id, { gateway_ref: ref, captured_as: paymentId === id ? null : paymentId })
      await settlePayment(deps, trx, { userid, paymentId: id, at, captured: amount })
    } else {
      await endPayment(trx, sent, { event: 'canceled', at })
      await keepCapture(trx, { userid, gateway: gateway.name, capture, at })
    }
    await enqueueMovements(trx, ref)
  })
}
