import type { Resource } from '@atoll/contract/clusters'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDuration } from '../../kit/format/stopwatch.ts'
import { useText } from '../../locales/text.ts'
import { parseInstallLog, progressSteps } from '../card/progress-steps.ts'
import classes from '../frame/ClusterPage.module.css'
import { InstallView } from '../install/InstallView.tsx'
import { useWholeLog } from '../install/use-whole-log.ts'

/** How it was installed: every step with its time, and the whole log, for as long as the cluster exists. */
export function InstallSection({ cluster: listed }: { cluster: Resource }) {
  const t = useText()
  const cluster = useWholeLog(listed, { clusterId: listed.clusterId })
  const steps = progressSteps(cluster, parseInstallLog(cluster.installLog), serverNow())
  const isDone = steps.every(({ state }) => state === 'done')
  return (
    <section className="box clip" aria-labelledby="install">
      <div className={classes.cardHeader}>
        <h2 id="install">{t('detail.operationIdle', { name: cluster.name })}</h2>
        {isDone && (
          <span className={classes.cardNote}>
            {t('detail.took', {
              time: formatDuration(
                steps.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
                t,
              ),
            })}
          </span>
        )}
      </div>
      <InstallView cluster={cluster} />
    </section>
  )
}
