import type { Resource } from '@atoll/contract'
import { Facts } from '@atoll/ui'
import { formatMiB } from '@atoll/ui/i18n'
import { useLocale, useText } from '../../i18n/text.ts'

/** vCPU, memory and members in all. */
export function ClusterHardware({ cluster }: { cluster: Resource }) {
  const t = useText()
  const locale = useLocale()
  const workers = cluster.workers.length
  return (
    <Facts>
      {t('cluster.vCpu', { count: cluster.cpuCoreTotalCount })}
      {t('cluster.memory', { size: formatMiB(cluster.memoryTotalSize, locale) })}
      {workers > 0 && t('cluster.members', { workers: t('cluster.workers', { count: workers }) })}
    </Facts>
  )
}
