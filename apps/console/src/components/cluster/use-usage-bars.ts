import type { Resource } from '@atoll/contract'
import { formatBytes } from '../../format/bytes.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import type { QuotaBar } from './QuotaBars.tsx'
import { useMonitor } from './use-monitor.ts'

/** Memory and disk of the master against their size, and what is used of the account's quotas. `still`: as last measured. */
export function useUsageBars(cluster: Resource, still: boolean): QuotaBar[] {
  const t = useText()
  const locale = useLocale()
  const usage = useMonitor(cluster)?.usage
  const { latest } = cluster
  const bars: QuotaBar[] = []
  if (latest && latest.memoryTotal > 0) {
    bars.push(measured('memory', t('cluster.memoryLabel'), latest.memoryUsed, latest.memoryTotal))
  }
  if (latest && latest.diskTotal > 0) {
    bars.push(measured('disk', t('cluster.diskLabel'), latest.diskUsed, latest.diskTotal))
  }
  if (usage) {
    const { value, unitLabel, quota } = usage.traffic
    const amount = (figure: number) =>
      `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(figure)} ${unitLabel}`
    bars.push({
      key: 'traffic',
      label: t('cluster.trafficLabel'),
      used: amount(value),
      total: quota === undefined ? undefined : amount(quota),
      share: quota ? value / quota : 0,
      stale: still,
    })
  }
  return bars

  function measured(key: string, label: string, used: number, total: number): QuotaBar {
    return {
      key,
      label,
      used: formatBytes(used, locale),
      total: formatBytes(total, locale),
      share: used / total,
      stale: still,
    }
  }
}
