import type { Resource } from '@atoll/contract/clusters'
import { formatTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ClusterFigures } from '../card/figures/ClusterFigures.tsx'
import { QuotaBars } from '../card/usage/QuotaBars.tsx'
import { useUsageBars } from '../card/usage/use-usage-bars.ts'
import { useMonitor } from '../card/use-monitor.ts'
import classes from '../frame/ClusterPage.module.css'
import usage from './UsageSection.module.css'

/** How busy it is now and what it uses of what it has; nothing before the first measurement. */
export function UsageSection({ cluster, stale }: { cluster: Resource; stale: boolean }) {
  const t = useText()
  const locale = useLocale()
  const running = cluster.clusterStatus === 'running'
  const monitor = useMonitor(cluster)
  const bars = useUsageBars(cluster, stale || !running)
  const { latest } = cluster
  if (!latest) return null
  return (
    <section className="box clip" aria-labelledby="usage" data-stale={stale || undefined}>
      <div className={classes.cardHeader}>
        <h2 id="usage">{t('detail.usage')}</h2>
        {running && <ClusterFigures latest={latest} monitor={monitor} />}
        {(stale || !running) && (
          <span className={usage.asOf}>{t('cluster.asOf', { time: formatTime(latest.at, Date.now(), locale) })}</span>
        )}
      </div>
      {bars.length > 0 && (
        <div className={usage.bars}>
          <QuotaBars bars={bars} />
        </div>
      )}
    </section>
  )
}
