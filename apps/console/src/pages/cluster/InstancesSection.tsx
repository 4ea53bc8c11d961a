import type { Resource, ResourceDetail } from '@atoll/contract'
import { Meter, StatusBadge } from '@atoll/ui'
import { useOfferingTitle } from '../../components/cluster/use-offering-title.ts'
import { formatBytes, formatMiB, formatPercent } from '../../format/bytes.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import classes from './ClusterPage.module.css'
import table from './Table.module.css'

interface InstancesSectionProps {
  cluster: Resource
  details: ResourceDetail
}

/** The machines of the cluster. Below 768 px rows become two-line cards. */
export function InstancesSection({ cluster, details }: InstancesSectionProps) {
  const t = useText()
  const locale = useLocale()
  const offeringTitle = useOfferingTitle()
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
          {details.data.map((instance) => {
            // Only the master's measurements are known so far.
            const latest =
              instance.role === 'master' && cluster.clusterStatus === 'running' ? cluster.latest : undefined
            return (
              <tr key={instance.instanceId}>
                <td>
                  <span className={table.main}>
                    {instance.role === 'master' ? t('detail.master') : t('detail.worker')}
                  </span>
                  <span className={table.second}>{instance.ip ?? instance.instanceId}</span>
                </td>
                <td>
                  <StatusBadge status={instance.status} locale={locale} bare />
                </td>
                <td>
                  <span className={table.main}>
                    {instance.offering ? offeringTitle(instance.offering) : t('detail.none')}
                  </span>
                  <span className={table.second}>
                    {t('detail.size', { cpu: instance.cpuCoreCount, memory: formatMiB(instance.memorySize, locale) })}
                  </span>
                </td>
                <td data-label={t('detail.columnCpu')}>
                  {latest ? (
                    <Measured
                      share={latest.cpu}
                      text={formatPercent(latest.cpu, locale)}
                      label={t('detail.columnCpu')}
                    />
                  ) : (
                    <None />
                  )}
                </td>
                <td data-label={t('detail.columnMemory')}>
                  {latest && latest.memoryTotal > 0 ? (
                    <Measured
                      share={latest.memoryUsed / latest.memoryTotal}
                      text={t('detail.ofSize', {
                        used: formatBytes(latest.memoryUsed, locale),
                        total: formatBytes(latest.memoryTotal, locale),
                      })}
                      label={t('detail.columnMemory')}
                    />
                  ) : (
                    <None />
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function Measured({ share, text, label }: { share: number; text: string; label: string }) {
  return (
    <span className={table.measured}>
      <span className={table.meter}>
        <Meter share={share} height={4} label={`${label}: ${text}`} />
      </span>
      {text}
    </span>
  )
}

function None() {
  const t = useText()
  return (
    <span className={table.none}>
      <span aria-hidden="true">{t('detail.none')}</span>
      <span className={table.hidden}>{t('detail.noneText')}</span>
    </span>
  )
}
