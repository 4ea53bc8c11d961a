import { createFileRoute } from '@tanstack/react-router'
import { ClusterPage } from '../../../pages/cluster/ClusterPage.tsx'
import { clusterSearch } from '../../../pages/cluster/cluster-search.ts'

export const Route = createFileRoute('/_main/cluster/$clusterId')({
  validateSearch: clusterSearch,
  component: ClusterRoute,
})

function ClusterRoute() {
  const { clusterId } = Route.useParams()
  const { tab = 'overview' } = Route.useSearch()
  return <ClusterPage key={clusterId} clusterId={clusterId} tab={tab} />
}
