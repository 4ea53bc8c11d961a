import { Meter } from '@atoll/ui'
import { formatPercent } from '@atoll/ui/i18n'
import { useInit } from '../../data/home-queries.ts'
import { useLocale, useText } from '../../kit/i18n/text.ts'
import classes from './QuotaMeter.module.css'

/** vCPU in use against the account's quota. */
export function QuotaMeter() {
  const t = useText()
  const locale = useLocale()
  const limit = useInit().data?.instanceInfo.limit
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
