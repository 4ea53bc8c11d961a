import { createFileRoute } from '@tanstack/react-router'
import { clusterSearch } from '../../../../clusters/frame/cluster-search.ts'
import { ClusterPage } from '../../../../clusters/page/ClusterPage.tsx'

export const Route = createFileRoute('/_main/cluster/$clusterId')({
  validateSearch: clusterSearch,
  component: ClusterRoute,
})

function ClusterRoute() {
  const { clusterId } = Route.useParams()
  // The router leaves in what the reading dropped, so it is read again.
  const { tab = 'overview' } = clusterSearch({ ...Route.useSearch() })
  return <ClusterPage key={clusterId} clusterId={clusterId} tab={tab} />
}
