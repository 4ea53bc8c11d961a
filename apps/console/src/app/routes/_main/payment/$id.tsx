import { createFileRoute } from '@tanstack/react-router'
import { PaymentPage } from '../../../../billing/payment/PaymentPage.tsx'
import { LineDays } from '../../../../usage/LineDays.tsx'

export const Route = createFileRoute('/_main/payment/$id')({ component: PaymentRoute })

function PaymentRoute() {
  const { id } = Route.useParams()
  return <PaymentPage key={id} id={id} usageOf={(invoiceId, line) => <LineDays invoiceId={invoiceId} line={line} />} />
}
