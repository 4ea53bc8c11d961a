import type { Resource } from '@atoll/contract/clusters'
import { countRows } from '@atoll/contract/wire'
import { Facts } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import { useInit } from '../data/home-queries.ts'
import { formatTime } from '../kit/format/times.ts'
import { useLocale, useText } from '../locales/text.ts'
import classes from './HomePage.module.css'

interface HomeSummaryProps {
  clusters: Resource[] | undefined
  stale: boolean
  updatedAt: number
}

/** How many there are and how much of the quota they use; when it is old, since when. */
export function HomeSummary({ clusters, stale, updatedAt }: HomeSummaryProps) {
  const t = useText()
  const locale = useLocale()
  const limit = useInit().data?.instanceInfo.limit
  if (!clusters) return <Skeleton height={12} width={180} my={3} />
  if (stale) return <span>{t('home.lastSeen', { time: formatTime(updatedAt, Date.now(), locale) })}</span>
  return (
    <div className={classes.summary}>
      <Facts>
        {t('home.count', { count: countRows(clusters) ?? 0 })}
        {limit && t('shell.quota', { used: limit.vCpuUsed, quota: limit.vCpuQuota })}
      </Facts>
    </div>
  )
}
