import type { DeclineCode } from '@atoll/contract/payments'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { InvoiceRow } from '../documents/document-tables.ts'
import { getDue } from '../documents/invoice-due.ts'
import { type Method, readMeans } from '../orders/begin-payment.ts'
import { payInvoice } from '../orders/pay-invoice.ts'
import { splitPayment } from '../pricing/split-payment.ts'
import type { RenewalDeps } from './renewal-deps.ts'

/** Declines after which the same card never pays again. */
const dead: readonly DeclineCode[] = [
  'cardExpired',
  'cardNumberWrong',
  'cardBlocked',
  'cardCurrencyRefused',
  'cardGone',
]

/**
 * Tries to pay a renewal with what the account has and its card. Nothing is begun, and nothing set aside, where that
 * cannot be enough: without a card, or with one that is dead. True when it is paid.
 */
export async function tryToPay(deps: RenewalDeps, trx: Trx, invoice: InvoiceRow, at: Date): Promise<boolean> {
  const { id: invoiceId, userid, currency } = invoice
  const method = await findLivingCard(deps, trx, userid)
  const means = await readMeans(trx, { userid, at, mayRoll: true }, currency)
  const { card } = splitPayment(await getDue(trx, invoice), means)
  if (card.minor > 0 && method === null) return false
  const attempt = await payInvoice(deps, trx, { userid, invoiceId, at, method })
  return attempt?.paid ?? false
}

async function findLivingCard({ findMethod }: RenewalDeps, db: Db, userid: string): Promise<Method | null> {
  const method = await findMethod(db, userid)
  if (!method) return null
  const last = await db
    .selectFrom('payments')
    .select('decline_code')
    .where('userid', '=', userid)
    .where('method_id', '=', method.id)
    .where('state', 'in', ['succeeded', 'declined'])
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return dead.some((code) => code === last?.decline_code) ? null : method
}
