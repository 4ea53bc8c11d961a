import { unreadableRows } from '@atoll/contract/wire'
import { Facts } from '@atoll/ui'
import { formatTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'
import type { ShownInstance } from '../instance-table/shown-instance.ts'

interface InstancesSummaryProps {
  rows: ShownInstance[]
  stale: boolean
  updatedAt: number
}

/**
 * How many there are, how many of them run, and their cores; when it is old, since when; nothing while one could not be
 * read.
 */
export function InstancesSummary({ rows, stale, updatedAt }: InstancesSummaryProps) {
  const t = useText()
  const locale = useLocale()
  if (stale) return <span>{t('home.lastSeen', { time: formatTime(updatedAt, Date.now(), locale) })}</span>
  const running = rows.filter(({ instance: { status } }) => status === 'running' || status === 'inactivated')
  if (unreadableRows(rows) > 0) return null
  const cores = rows.reduce((sum, { instance }) => sum + instance.cpuCoreCount, 0)
  return (
    <Facts>
      {t('instances.count', { count: rows.length })}
      {t('instances.running', { count: running.length })}
      {cores > 0 && t('cluster.vCpu', { count: cores })}
    </Facts>
  )
}
