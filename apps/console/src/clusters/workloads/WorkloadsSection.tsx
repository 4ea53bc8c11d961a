import { type ResourceDetail, workloadStates } from '@atoll/contract/clusters'
import { countRows, countUnreadable } from '@atoll/contract/wire'
import { formatTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import page from '../frame/ClusterPage.module.css'
import classes from './WorkloadsSection.module.css'
import { WorkloadTable } from './WorkloadTable.tsx'
import type { ShownWorkload } from './workload-words.ts'

interface WorkloadsSectionProps {
  instances: ResourceDetail['data']
  /** A last known value. */
  stale: boolean
}

type Instance = ResourceDetail['data'][number]

/** Services on the instances of a cluster, failed ones first, and why; nothing before the first report. */
export function WorkloadsSection({ instances, stale }: WorkloadsSectionProps) {
  const t = useText()
  const locale = useLocale()
  const instanceName = useInstanceName()
  const reporting = instances.filter(({ workloads }) => workloads !== null)
  const old = instances.filter((instance) => instance.workloads === null && isCurrent(instance))
  if (reporting.length + old.length === 0) return null
  const rows = reporting
    .flatMap((instance) =>
      (instance.workloads ?? []).map(
        (workload): ShownWorkload => ({ workload, instance, stale: stale || !isCurrent(instance) }),
      ),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b))
  countUnreadable(rows, ...reporting.map(({ workloads }) => workloads ?? undefined))
  const all = countRows(rows) ?? 0
  const failed = rows.filter(({ workload }) => workload.state === 'Failed').length
  const silent = reporting.filter((instance) => stale || !isCurrent(instance))
  const receivedAt = silent.flatMap(({ latest }) => latest?.at ?? []).toSorted()[0]
  return (
    <section className="box clip" aria-labelledby="workloads">
      <div className={page.cardHeader}>
        <h2 id="workloads">{t('workloads.title')}</h2>
        {all > 0 && all === rows.length && (
          <span className={page.cardNote}>
            {failed > 0
              ? t('workloads.someFailed', { count: failed, total: rows.length })
              : t('workloads.count', { count: rows.length })}
          </span>
        )}
        {receivedAt && (
          <span className={classes.asOf}>
            {t('cluster.asOf', { time: formatTime(receivedAt, Date.now(), locale) })}
          </span>
        )}
      </div>
      {all > 0 && <WorkloadTable rows={rows} namesInstance={instances.length > 1} />}
      {old.map((instance) => (
        <p key={instance.instanceId} className={page.cardEmpty}>
          {instances.length > 1 ? t('workloads.untoldOf', { name: instanceName(instance) }) : t('workloads.untold')}
        </p>
      ))}
    </section>
  )
}

/** Whether its agent's last report is current. */
function isCurrent({ status, latest }: Instance): boolean {
  return latest !== null && (status === 'running' || status === 'inactivated')
}

function rankOf({ workload }: ShownWorkload): number {
  return workloadStates.indexOf(workload.state)
}
