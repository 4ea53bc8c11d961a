import type { Resource, ResourceDetail } from '@atoll/contract'
import { formatMiB } from '@atoll/ui/i18n'
import { useLocale, useText } from '../../i18n/text.ts'
import classes from './ClusterPage.module.css'
import { InstanceRow } from './InstanceRow.tsx'
import table from './Table.module.css'

interface InstancesSectionProps {
  cluster: Resource
  details: ResourceDetail
}

/** The machines of the cluster. Below 768 px rows become two-line cards. */
export function InstancesSection({ cluster, details }: InstancesSectionProps) {
  const t = useText()
  const locale = useLocale()
  return (
    <section className={classes.card} aria-labelledby="instances">
      <div className={classes.cardHeader}>
        <h2 id="instances">{t('detail.instances')}</h2>
        <span className={classes.cardNote}>
          {t('detail.instancesTotal', {
            cpu: details.cpuTotalCount,
            memory: formatMiB(details.memoryTotalSize, locale),
          })}
        </span>
      </div>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('detail.columnName')}</th>
            <th scope="col">{t('detail.columnStatus')}</th>
            <th scope="col">{t('detail.columnSize')}</th>
            <th scope="col">{t('detail.columnCpu')}</th>
            <th scope="col">{t('detail.columnMemory')}</th>
          </tr>
        </thead>
        <tbody>
          {details.data.map((instance) => (
            <InstanceRow
              key={instance.instanceId}
              instance={instance}
              // Only the master's measurements are known so far.
              latest={instance.role === 'master' && cluster.clusterStatus === 'running' ? cluster.latest : null}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}
