import { createFileRoute } from '@tanstack/react-router'
import { ClusterPage } from '../../../pages/cluster/ClusterPage.tsx'

export const Route = createFileRoute('/_main/cluster/$clusterId')({
  component: ClusterRoute,
})

function ClusterRoute() {
  const { clusterId } = Route.useParams()
  return <ClusterPage key={clusterId} clusterId={clusterId} />
}
