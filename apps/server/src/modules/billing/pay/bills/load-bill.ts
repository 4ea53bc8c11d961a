import { type Currency, type Money, money } from '@atoll/money'
import { sql } from 'kysely'
import type { Trx } from '../../../../platform/db/index.ts'
import type { Means } from '../../pricing/basket.ts'
import type { InvoiceRow, PaymentRow } from '../../records/documents/document-tables.ts'
import { dueMinor } from '../../records/documents/invoice-due.ts'
import { findOpenPayment, paymentCount } from '../../records/documents/payment-store.ts'
import { heldUp } from '../../records/held-bills.ts'
import { meansOf, toMeans } from '../begin-payment.ts'

/** A bill, and what its account can pay it with. */
export interface Bill {
  invoice: InvoiceRow
  /** Still to pay. */
  due: Money
  /** The failed tries to collect it; null: it is not collected, only waited for. */
  tries: number | null
  /** Whether collecting it waits for a suspension to be released. */
  isHeldUp: boolean
  /** The one payment of it that has not ended. */
  open: PaymentRow | undefined
  /** How many payments of it there are. */
  payments: number
  means: Pick<Means, 'promo' | 'cash'>
}

/** All that deciding about a bill takes, as it is under the account's lock at `at`. */
export async function loadBill(
  trx: Trx,
  { userid, currency, at }: { userid: string; currency: Currency; at: Date },
  invoiceId: string,
): Promise<Bill> {
  const { due, tries, held, payments, balance, disputed, promo, collecting, ...invoice } = await trx
    .selectFrom('invoices')
    .leftJoin('dunnings', 'dunnings.invoice_id', 'invoices.id')
    .selectAll('invoices')
    .select(['dunnings.tries', dueMinor.as('due'), heldUp.as('held')])
    .select(paymentCount(trx).where('payments.invoice_id', '=', sql.ref<string>('invoices.id')).as('payments'))
    .select([...meansOf(trx, { userid, currency, at })])
    .where('invoices.id', '=', invoiceId)
    .where('invoices.userid', '=', userid)
    .executeTakeFirstOrThrow()
  return {
    invoice,
    tries,
    isHeldUp: held,
    payments: Number(payments),
    due: money(Number(due), invoice.currency),
    open: Number(payments) === 0 ? undefined : await findOpenPayment(trx, invoiceId),
    means: toMeans({ balance, disputed, promo, collecting }, currency),
  }
}
