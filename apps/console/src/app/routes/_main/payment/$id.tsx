import { createFileRoute } from '@tanstack/react-router'
import { PaymentPage } from '../../../../payment/PaymentPage.tsx'

export const Route = createFileRoute('/_main/payment/$id')({ component: PaymentRoute })

function PaymentRoute() {
  const { id } = Route.useParams()
  return <PaymentPage key={id} id={id} />
}
