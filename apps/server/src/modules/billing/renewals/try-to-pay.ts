import type { Db, Trx } from '../../../platform/db/index.ts'
import { type Method, readMeans } from '../pay/begin-payment.ts'
import { payInvoice } from '../pay/bills/pay-invoice.ts'
import { isDead } from '../pay/other-card.ts'
import { splitPayment } from '../pricing/split-payment.ts'
import { isUsedWithCard } from '../records/coupon-cards.ts'
import { listDisputedCards } from '../records/dispute-store.ts'
import type { InvoiceRow } from '../records/documents/document-tables.ts'
import { getDue } from '../records/documents/invoice-due.ts'
import type { RenewalDeps } from './renewal-deps.ts'

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
  const used = method && invoice.coupon !== null && { userid, code: invoice.coupon, cardId: method.id }
  if (used && (await isUsedWithCard(trx, used))) return false
  const attempt = await payInvoice(deps, trx, { userid, invoiceId, at, method })
  return attempt?.paid ?? false
}

async function findLivingCard({ findMethod }: RenewalDeps, db: Db, userid: string): Promise<Method | null> {
  const method = await findMethod(db, userid)
  if (!method || (await listDisputedCards(db, [method.id])).has(method.id)) return null
  return (await isDead(db, userid, method.id)) ? null : method
}
