import type { Resource } from '@atoll/contract/clusters'
import { formatDuration } from '../../kit/format/stopwatch.ts'
import { useText } from '../../kit/i18n/text.ts'
import { parseInstallLog } from '../card/progress-steps.ts'
import classes from './ClusterPage.module.css'
import { InstallView } from './InstallView.tsx'

/** How it was installed: every step with its time, and the whole log, for as long as the cluster exists. */
export function InstallSection({ cluster }: { cluster: Resource }) {
  const t = useText()
  const log = parseInstallLog(cluster.installLog)
  const begun = log[0]?.startedAt
  const ended = log.every(({ state }) => state === 'done') ? log.at(-1)?.endedAt : undefined
  return (
    <section className={classes.card} aria-labelledby="install">
      <div className={classes.cardHeader}>
        <h2 id="install">{t('detail.operationIdle', { name: cluster.name })}</h2>
        {begun && ended && (
          <span className={classes.cardNote}>
            {t('detail.took', { time: formatDuration(Date.parse(ended) - Date.parse(begun), t) })}
          </span>
        )}
      </div>
      <InstallView cluster={cluster} />
    </section>
  )
}
