import type { Resource } from '@atoll/contract/clusters'
import { isAwaitingHost } from '../clusters/card/progress-steps.ts'
import { QuotaBars } from '../clusters/card/usage/QuotaBars.tsx'
import { useUsageBars } from '../clusters/card/usage/use-usage-bars.ts'
import { formatAgo, formatTime } from '../kit/format/times.ts'
import { useLocale, useText } from '../locales/text.ts'
import classes from './ClusterCard.module.css'

interface CardUsageProps {
  cluster: Resource
  stale: boolean
}

/** Its use of its resources; or a sentence that comes first. */
export function CardUsage({ cluster, stale }: CardUsageProps) {
  const t = useText()
  const locale = useLocale()
  const still = stale || cluster.clusterStatus !== 'running'
  const bars = useUsageBars(cluster, still)
  const sentence =
    cluster.status === 'inactivated'
      ? t('cluster.inactivated')
      : cluster.status === 'stopped'
        ? t('cluster.stoppedFigures')
        : cluster.status === 'waiting_destroy'
          ? cluster.overdue
            ? undefined
            : t('order.waitingDestroy')
          : cluster.status === 'destroy_to_be_confirmed'
            ? t('order.toBeConfirmed')
            : cluster.status === 'running' && !cluster.latest
              ? t('cluster.noFigures')
              : isAwaitingHost(cluster)
                ? t('cluster.awaitingMachine')
                : saysWhenHeard(cluster) && cluster.latest
                  ? t('cluster.offlineSince', {
                      time: formatTime(cluster.latest.at, Date.now(), locale),
                      ago: formatAgo(cluster.latest.at, Date.now(), locale),
                    })
                  : undefined
  if (!sentence && bars.length === 0) return null
  return (
    <div className={classes.foot}>
      {sentence && <p className={classes.sentence}>{sentence}</p>}
      {!(sentence && cluster.status === 'inactivated') && bars.length > 0 && <QuotaBars bars={bars} />}
      {still && cluster.latest && bars.length > 0 && (
        <span className={classes.asOf}>
          {t('cluster.asOf', { time: formatTime(cluster.latest.at, Date.now(), locale) })}
        </span>
      )}
    </div>
  )
}

/** A host that may come back: one that was given up is not waited for. */
function saysWhenHeard({ status, clusterType, givenUpAt }: Resource): boolean {
  return status === 'offline' && clusterType === 'SelfHost' && givenUpAt === null
}
