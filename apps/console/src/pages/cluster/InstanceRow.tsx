import type { Resource, ResourceDetail } from '@atoll/contract'
import { StatusBadge } from '@atoll/ui'
import { formatBytes, formatMiB, formatPercent } from '@atoll/ui/i18n'
import { useOfferingTitle } from '../../components/cluster/use-offering-title.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import { Measured } from './Measured.tsx'
import table from './Table.module.css'

interface InstanceRowProps {
  instance: ResourceDetail['data'][number]
  /** Its newest measurement; null where it is not known. */
  latest: Resource['latest']
}

/** One machine: what it is, how it is, how busy it is. */
export function InstanceRow({ instance, latest }: InstanceRowProps) {
  const t = useText()
  const locale = useLocale()
  const offeringTitle = useOfferingTitle()
  const [cpu, memory] = [t('detail.columnCpu'), t('detail.columnMemory')]
  return (
    <tr>
      <td>
        <span className={table.main}>{instance.role === 'master' ? t('detail.master') : t('detail.worker')}</span>
        <span className={table.second}>{instance.ip ?? instance.instanceId}</span>
      </td>
      <td>
        <StatusBadge status={instance.status} locale={locale} bare />
      </td>
      <td>
        <span className={table.main}>{instance.offering ? offeringTitle(instance.offering) : t('detail.none')}</span>
        <span className={table.second}>
          {t('detail.size', { cpu: instance.cpuCoreCount, memory: formatMiB(instance.memorySize, locale) })}
        </span>
      </td>
      <td data-label={cpu}>
        <Measured label={cpu} share={latest?.cpu} text={latest ? formatPercent(latest.cpu, locale) : ''} />
      </td>
      <td data-label={memory}>
        <Measured
          label={memory}
          share={latest && latest.memoryTotal > 0 ? latest.memoryUsed / latest.memoryTotal : undefined}
          text={
            latest
              ? t('detail.ofSize', {
                  used: formatBytes(latest.memoryUsed, locale),
                  total: formatBytes(latest.memoryTotal, locale),
                })
              : ''
          }
        />
      </td>
    </tr>
  )
}
