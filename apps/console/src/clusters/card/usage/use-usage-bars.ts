import { type MeteredProduct, planUsage } from '@atoll/contract/billing'
import type { ClusterMonitor, Resource } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { formatFigure, formatHardware } from '@atoll/ui/i18n'
import { useCall } from '../../../data/use-call.ts'
import { formatChange } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { useMonitor } from '../use-monitor.ts'
import type { QuotaBar } from './QuotaBars.tsx'

type AmountUsed = ClusterMonitor['usage']['traffic']

/** The master's disk against its size, and what is used of the account's quotas. `still`: as last measured. */
export function useUsageBars(cluster: Resource, still: boolean): QuotaBar[] {
  const t = useText()
  const locale = useLocale()
  const usage = useMonitor(cluster)?.usage
  const { latest } = cluster
  const quotas = usage && [usage.backup, usage.traffic]
  // Costs are asked for where there are some.
  const costs = useCall(planUsage, {}, { enabled: quotas?.some(isAbove) === true }).data
  const bars: QuotaBar[] = []
  // Of an instance that does not report, the last figures are all there is to know.
  if (latest && cluster.status === 'offline' && latest.memoryTotal > 0) {
    bars.push({
      key: 'memory',
      label: t('cluster.memoryLabel'),
      used: formatHardware(latest.memoryUsed, locale),
      total: formatHardware(latest.memoryTotal, locale),
      share: latest.memoryUsed / latest.memoryTotal,
      stale: still,
    })
  }
  if (latest && latest.diskTotal > 0) {
    bars.push({
      key: 'storage',
      label: t('cluster.storageLabel'),
      used: formatHardware(latest.diskUsed, locale),
      total: formatHardware(latest.diskTotal, locale),
      share: latest.diskUsed / latest.diskTotal,
      stale: still,
    })
  }
  if (usage) {
    // No quota, no entry: a backup that cannot be made yet has nothing to show.
    if (usage.backup.quota !== undefined) bars.push(quotaBar('backup', t('cluster.backupLabel'), usage.backup))
    bars.push(quotaBar('traffic', t('cluster.trafficLabel'), usage.traffic))
  }
  return bars

  function quotaBar(key: 'backup' | 'traffic', label: string, amountUsed: AmountUsed): QuotaBar {
    const { value, unitLabel, quota } = amountUsed
    const over = isAbove(amountUsed)
    const amount = (figure: number) => formatAmount(figure, unitLabel, locale)
    const product: MeteredProduct = `cloud_${key}`
    const cost = over ? costs?.find(({ productType }) => productType === product) : undefined
    return {
      key,
      label,
      used: amount(value),
      total: quota === undefined ? undefined : amount(quota),
      share: quota ? value / quota : over ? 2 : 0,
      cost: cost && cost.amount > 0 ? formatChange(cost.amount, cost.currency, locale) : undefined,
      stale: still,
    }
  }
}

function isAbove({ value, quota }: AmountUsed): boolean {
  return quota !== undefined && value > quota
}

/** An amount of the API in the unit that fits: 6 MB, not 0 GB. */
export function formatAmount(value: number, unitLabel: string, locale: Locale): string {
  if (unitLabel !== 'GB' || value >= 1) return `${formatFigure(value, 1, locale)} ${unitLabel}`
  return `${formatFigure(value * 1000, 0, locale)} MB`
}
