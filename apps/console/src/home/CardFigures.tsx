import type { Resource } from '@atoll/contract/clusters'
import { ClusterAddress } from '../clusters/card/ClusterAddress.tsx'
import { ClusterHardware } from '../clusters/card/ClusterHardware.tsx'
import { ClusterFigures } from '../clusters/card/figures/ClusterFigures.tsx'
import { useMonitor } from '../clusters/card/use-monitor.ts'
import classes from './ClusterCard.module.css'

/** Whether it is known how busy it is now. */
export function hasFigures(cluster: Resource): cluster is Resource & { latest: NonNullable<Resource['latest']> } {
  return cluster.clusterStatus === 'running' && cluster.latest !== null
}

/** Where it is reached, what it consists of, and how busy it is. */
export function CardFigures({ cluster }: { cluster: Resource }) {
  const monitor = useMonitor(cluster)
  return (
    <div className={classes.figures}>
      <ClusterAddress cluster={cluster} form="chip" />
      <div className={classes.hardware}>
        <ClusterHardware cluster={cluster} />
      </div>
      {hasFigures(cluster) && <ClusterFigures latest={cluster.latest} monitor={monitor} />}
    </div>
  )
}
