import { createFileRoute } from '@tanstack/react-router'
import { SubscriptionPage } from '../../../../billing/subscription/SubscriptionPage.tsx'

export const Route = createFileRoute('/_main/subscriptions/$id')({ component: SubscriptionRoute })

function SubscriptionRoute() {
  const { id } = Route.useParams()
  return <SubscriptionPage key={id} subscriptionId={id} />
}
