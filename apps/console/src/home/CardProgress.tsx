import type { Resource } from '@atoll/contract/clusters'
import { InstallSegments, LogLine, StatusDot } from '@atoll/ui'
import { useProgress } from '../clusters/card/use-progress.ts'
import { useText } from '../locales/text.ts'
import classes from './ClusterCard.module.css'

/** Steps side by side and the last line of the log, while the cluster is being made. */
export function CardProgress({ cluster }: { cluster: Resource }) {
  const t = useText()
  const { steps, at, current, lines } = useProgress(cluster)
  const lastLine = lines.at(-1)
  return (
    <>
      <div className={classes.segments}>
        <InstallSegments steps={steps} label={t('cluster.progress', { name: cluster.name })} />
        <div className={classes.stepNow}>
          {t('cluster.stepNow', { step: at, steps: steps.length, title: current?.title ?? '' })}
        </div>
      </div>
      <div className={classes.log}>
        <div className={classes.line}>
          {lastLine ? <LogLine line={lastLine} /> : <span>{t('cluster.logEmpty')}</span>}
        </div>
        <span className={classes.live}>
          <StatusDot colour="amber" shape="ring" /> {t('cluster.live')}
        </span>
      </div>
    </>
  )
}
