import { type PlanUsage, planUsage } from '@atoll/contract/billing'
import { Meter } from '@atoll/ui'
import { formatFigure, formatPercent } from '@atoll/ui/i18n'
import { useInit } from '../../../data/home-queries.ts'
import { useCall } from '../../../data/use-call.ts'
import { useFirstIdle } from '../../../kit/browser/first-idle.tsx'
import { formatChange } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import classes from './QuotaMeter.module.css'

/** Of what the plan includes, that of which the largest part is used; without a plan, vCPU against the quota. */
export function QuotaMeter() {
  const t = useText()
  const locale = useLocale()
  const init = useInit().data
  const rows = useCall(planUsage, {}, { enabled: useFirstIdle() }).data
  if (!init || !rows) return null
  const { limit } = init.instanceInfo
  const [first] = rows.filter(({ quota }) => quota > 0).toSorted((a, b) => shareOf(b) - shareOf(a))
  if (!first && limit.vCpuQuota === 0) return null
  const share = first ? shareOf(first) : limit.vCpuUsed / limit.vCpuQuota
  const words = first
    ? t('notice.used', {
        what: t(`notice.${first.productType}`),
        used: formatFigure(first.used, 1, locale),
        quota: formatFigure(first.quota, 1, locale),
        unit: first.unitLabel,
      })
    : t('shell.quota', { used: limit.vCpuUsed, quota: limit.vCpuQuota })
  return (
    <div className={classes.quota}>
      <div className={classes.title}>
        <span>{first ? t('notice.plan', { plan: init.user.planLevelStr }) : 'vCPU'}</span>
        <span className={classes.share} data-over={share > 1 || undefined}>
          {formatPercent(share, locale)}
        </span>
      </div>
      <Meter share={share} label={words} height={4} />
      <div className={classes.foot}>
        <div className={classes.words}>{words}</div>
        {first && first.amount > 0 && (
          <span className={classes.cost}>{formatChange(first.amount, first.currency, locale)}</span>
        )}
      </div>
    </div>
  )
}

function shareOf({ used, quota }: PlanUsage): number {
  return used / quota
}
