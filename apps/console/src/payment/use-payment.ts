import { InvoiceId, invoicesDetail, paymentDetail } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { useCall } from '../data/use-call.ts'

export type Invoice = CallData<typeof invoicesDetail>
export type Payment = CallData<typeof paymentDetail>

export interface ShownPayment {
  invoice: Invoice | undefined
  /** Absent where nobody tried to pay the invoice yet. */
  payment: Payment | undefined
  isLoaded: boolean
  error: Error | null
  retry: () => Promise<unknown>
  /** When the oldest of what is shown was answered, ms. */
  updatedAt: number
}

/**
 * What `/payment/{id}` shows: a payment with its invoice. `id` is a payment's, or an invoice's, whose newest payment is
 * shown then. While the invoice waits, its newest payment is shown whichever was named: it is the one that is paid.
 */
export function usePayment(id: string): ShownPayment {
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
  return {
    invoice: invoice.data,
    payment: payment.data,
    isLoaded: invoice.data !== undefined && (wanted === undefined || payment.data !== undefined),
    error: reads.find(({ error }) => error !== null)?.error ?? null,
    retry: () => Promise.all(reads.filter(({ error }) => error !== null).map(({ refetch }) => refetch())),
    // Who does not read it is not drawn again for it.
    get updatedAt() {
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
