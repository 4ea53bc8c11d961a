import type { Resource } from '@atoll/contract/clusters'
import { countRows } from '@atoll/contract/wire'
import { Facts } from '@atoll/ui'
import { formatMiB } from '@atoll/ui/i18n'
import { useLocale, useText } from '../../locales/text.ts'

/** vCPU, memory and members in all, a fact each; none of a host that has yet to report them. */
export function useHardwareFacts(cluster: Resource): string[] {
  const t = useText()
  const locale = useLocale()
  const workers = countRows(cluster.workers) ?? 0
  if (cluster.cpuCoreTotalCount === 0) return []
  return [
    t('cluster.vCpu', { count: cluster.cpuCoreTotalCount }),
    t('cluster.memory', { size: formatMiB(cluster.memoryTotalSize, locale) }),
    ...(workers > 0 ? [t('cluster.members', { workers: t('cluster.workers', { count: workers }) })] : []),
  ]
}

/** The hardware of the cluster's instances in total. */
export function ClusterHardware({ cluster }: { cluster: Resource }) {
  return <Facts>{useHardwareFacts(cluster)}</Facts>
}
