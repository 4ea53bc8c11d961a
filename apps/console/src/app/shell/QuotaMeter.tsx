import { Meter } from '@atoll/ui'
import { formatPercent } from '@atoll/ui/i18n'
import { useQuery } from '@tanstack/react-query'
import { initQuery } from '../../data/queries.ts'
import { useLocale, useText } from '../../kit/i18n/text.ts'
import classes from './QuotaMeter.module.css'

interface QuotaMeterProps {
  userid: string
}

/** vCPU in use against the account's quota. */
export function QuotaMeter({ userid }: QuotaMeterProps) {
  const t = useText()
  const locale = useLocale()
  const limit = useQuery(initQuery(userid)).data?.instanceInfo.limit
  if (!limit || limit.vCpuQuota === 0) return null
  const share = limit.vCpuUsed / limit.vCpuQuota
  const words = t('shell.quota', { used: limit.vCpuUsed, quota: limit.vCpuQuota })
  return (
    <div className={classes.quota}>
      <div className={classes.title}>
        <span>vCPU</span>
        <span className={classes.share}>{formatPercent(share, locale)}</span>
      </div>
      <Meter share={share} label={words} height={4} />
      <div className={classes.words}>{words}</div>
    </div>
  )
}
