import { createFileRoute } from '@tanstack/react-router'
import { PaidPage } from '../../../../clusters/paid/PaidPage.tsx'

export const Route = createFileRoute('/_main/paid/$clusterId')({ component: PaidRoute })

function PaidRoute() {
  const { clusterId } = Route.useParams()
  return <PaidPage key={clusterId} clusterId={clusterId} />
}
