/** The measurements of a cluster over a time range, on the grid of the contract (design/usage, "Monitor"). */
import { type ClusterMonitor, type MetricsContent, monitorGrid } from '@atoll/contract/clusters'
import type { MonitorRange } from '@atoll/contract/wire'
import { refuse } from '../../../platform/refusal.ts'
import { metrics } from '../../observe/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import type { Viewer } from '../visibility.ts'
import { getUsage, getVisibleCluster } from './cluster-service.ts'
import { addUpSeries } from './figures/series-sum.ts'
import { listInstances } from './instance-views.ts'

interface MonitorRequest {
  clusterId: string
  range: MonitorRange
  instanceId?: string | undefined
}

/** Usage and measurements of one instance, or of the master and the workers together. */
export async function getMonitor(
  deps: ClusterDeps,
  viewer: Viewer,
  { clusterId, range, instanceId }: MonitorRequest,
): Promise<ClusterMonitor> {
  const cluster = await getVisibleCluster(deps, viewer, clusterId)
  const instances = await listInstances(deps.db, clusterId)
  const shownId = instanceId ?? cluster.master_id
  // A canceled cluster is shown for a day without its instances: nothing was measured of it.
  if (instanceId !== undefined && !instances.some(({ id }) => id === instanceId))
    return refuse('notFound', { object: 'instance' })
  const workers = instanceId === undefined ? instances.filter(({ id }) => id !== cluster.master_id) : []
  const { from, last, stepMs } = monitorGrid(range, deps.clock.now().getTime())
  const ids = [shownId, ...workers.map(({ id }) => id)]
  const { samples } = deps.observe
  const [usage, series, latest] = await Promise.all([
    getUsage(deps, cluster),
    samples.series(ids, metrics, { from, to: last + stepMs, stepMs }),
    samples.latest(ids),
  ])
  const contentOf = (id: string): MetricsContent => series.get(id) ?? noContent
  const parts = workers.map(({ id, cpu_core_count }) => ({ cores: cpu_core_count, series: contentOf(id) }))
  const newest = [...latest.values()].map(({ at }) => at.getTime())
  return {
    usage,
    metrics: {
      content: contentOf(shownId),
      workers: parts.length > 0 ? addUpSeries(parts, stepMs) : null,
      stepMs,
      lastUpdatedAt: newest.length > 0 ? new Date(Math.max(...newest)).toISOString() : null,
    },
  }
}

const noContent: MetricsContent = { cpu: [], memory: [], disk: [], netIn: [], netOut: [] }
