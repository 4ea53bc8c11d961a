import type { Resource } from '@atoll/contract/clusters'
import { StatusBadge } from '@atoll/ui'
import { Link } from '@tanstack/react-router'
import { useClusterActions } from '../clusters/actions/use-cluster-actions.ts'
import { ClusterFacts } from '../clusters/card/ClusterFacts.tsx'
import { useHardwareFacts } from '../clusters/card/ClusterHardware.tsx'
import { ClusterNotices } from '../clusters/card/ClusterNotices.tsx'
import { LimitedBadge } from '../clusters/card/LimitedBadge.tsx'
import { isAwaitingHost, isBeingMade } from '../clusters/card/progress-steps.ts'
import { OrderLine } from '../clusters/order/OrderLine.tsx'
import { OverdueLine } from '../clusters/order/OverdueLine.tsx'
import { orderOf, overdueOf } from '../clusters/order/order-of.ts'
import { useIsNarrow } from '../kit/browser/use-is-narrow.ts'
import { useLocale } from '../locales/text.ts'
import { CardActionBar } from './CardActionBar.tsx'
import { CardActions } from './CardActions.tsx'
import { CardFigures, hasFigures } from './CardFigures.tsx'
import { CardProgress } from './CardProgress.tsx'
import { CardUsage } from './CardUsage.tsx'
import classes from './ClusterCard.module.css'

interface ClusterCardProps {
  cluster: Resource
  /** A last known value. */
  stale: boolean
  /** Its primary action is what the page waits for. */
  isNext: boolean
}

/** One cluster: what it is, how it is, where it is reached, and what can be done now. */
export function ClusterCard({ cluster, stale, isNext }: ClusterCardProps) {
  const locale = useLocale()
  const isNarrow = useIsNarrow()
  const { actions, failure, dismissFailure } = useClusterActions(cluster)
  const hardware = useHardwareFacts(cluster)
  const awaited = isAwaitingHost(cluster)
  const order = orderOf(cluster)
  const overdue = overdueOf(cluster)
  const making = isBeingMade(cluster) && !awaited
  // Its hardware is beside its address; without one, in the line of facts.
  const figures = !making && !awaited && (cluster.url !== null || hasFigures(cluster))
  return (
    <article className={classes.card} data-stale={stale || undefined} aria-label={cluster.name}>
      <div className={classes.main}>
        <div className={classes.top}>
          <div className={classes.words}>
            <div className={classes.title}>
              <h2>
                <Link to="/cluster/$clusterId" params={{ clusterId: cluster.clusterId }}>
                  {cluster.name}
                </Link>
              </h2>
              <span aria-live="polite">
                <StatusBadge status={cluster.status} locale={locale} stale={stale} />
              </span>
              <LimitedBadge cluster={cluster} />
            </div>
            <ClusterFacts cluster={cluster}>{!figures && hardware}</ClusterFacts>
          </div>
          {!isNarrow && <CardActions cluster={cluster} actions={actions} isNext={isNext} />}
        </div>
        <ClusterNotices cluster={cluster} failure={failure} onDismiss={dismissFailure} />
        {figures && <CardFigures cluster={cluster} />}
      </div>
      {order && (
        <div className={classes.foot}>
          <OrderLine order={order} />
        </div>
      )}
      {overdue && (
        <div className={classes.foot}>
          <OverdueLine bill={overdue} />
        </div>
      )}
      {making ? <CardProgress cluster={cluster} /> : <CardUsage cluster={cluster} stale={stale} />}
      {isNarrow && <CardActionBar cluster={cluster} actions={actions} isNext={isNext} />}
    </article>
  )
}
