import { InvoiceId, invoicesDetail, paymentDetail } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { useCall } from '../../../data/use-call.ts'

export type Invoice = CallData<typeof invoicesDetail>
export type Payment = CallData<typeof paymentDetail>

export interface ShownPayment {
  invoice: Invoice
  /** Absent where nobody tried to pay the invoice yet. */
  payment: Payment | undefined
}

/**
 * The data of `/payment/{id}`: a payment with its invoice. `id` is a payment's, or an invoice's, whose newest payment
 * is shown then. While the invoice waits, its newest payment is shown whichever was named: it is the one that is paid.
 * As `useCall` answers; of its calls the oldest answer is the one that counts.
 */
export function usePayment(id: string) {
  const isInvoice = InvoiceId.safeParse(id).success
  const named = useCall(paymentDetail, { paymentId: id }, { enabled: !isInvoice })
  const invoiceId = isInvoice ? id : named.data?.invoiceId
  const invoice = useCall(invoicesDetail, { invoiceId: invoiceId ?? '' }, { enabled: invoiceId !== undefined })
  const wanted = invoice.data && wantedPayment(invoice.data, isInvoice ? undefined : id)
  const newest = useCall(
    paymentDetail,
    { paymentId: wanted ?? '' },
    { enabled: wanted !== undefined && wanted !== id, placeholderData: (before) => before },
  )
  const payment = wanted === undefined || wanted === id ? named : newest
  const reads = [...(isInvoice ? [] : [named]), invoice, ...(wanted === undefined ? [] : [payment])]
  const shown: ShownPayment | undefined = invoice.data && { invoice: invoice.data, payment: payment.data }
  return {
    data: wanted === undefined || payment.data ? shown : undefined,
    error: reads.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => Promise.all(reads.filter(({ error }) => error !== null).map(({ refetch }) => refetch())),
    // Components that do not read it are not drawn again for it.
    get dataUpdatedAt() {
      return Math.min(...reads.map(({ dataUpdatedAt }) => dataUpdatedAt))
    },
  }
}

/** Of an invoice that waits the newest; else the one that was named, or the one that ended it. */
function wantedPayment({ status, payments }: Invoice, named: string | undefined): string | undefined {
  const newest = payments.at(-1)?.paymentId
  if (status === 'open' || status === 'uncollectible') return newest
  return named ?? payments.findLast((payment) => payment.status === 'succeeded')?.paymentId ?? newest
}
