import { type PlanOffer, planChangeEstimate, subscriptionPeriod } from '@atoll/contract/billing'
import { useCall } from '../../../data/use-call.ts'
import { formatShortDate } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { useZone } from '../../shared/use-customer.ts'
import { useNewestInvoices } from '../card/use-newest-invoices.ts'
import classes from './Plans.module.css'
import type { PlanList } from './plan-list.ts'

interface PlanChoiceProps {
  plan: PlanOffer
  list: PlanList
  size: 'xs' | 'lg'
}

/** The action on a plan: up now, down at the end of the period; the present one says so. */
export function PlanChoice({ plan, list, size }: PlanChoiceProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const period = useCall(subscriptionPeriod, {}).data
  // On the page of an account that has bought nothing, the one primary button creates a cluster.
  const { hasNone: boughtNothing } = useNewestInvoices()
  const { planLevel, name, isCurrent } = plan
  const isUp = planLevel > list.planLevel
  const isNext = isUp && list.plans.every((other) => other.planLevel <= list.planLevel || other.planLevel >= planLevel)
  // Of one plan alone, as each is a price to be made; why there is none the dialog says.
  const today = useCall(planChangeEstimate, { planLevel }, { enabled: isNext }).data
  if (isCurrent) return <span className={classes.current}>{t('billing.yourPlan')}</span>
  if (list.pending?.planLevel === planLevel) {
    const { effectiveAt } = list.pending
    return (
      <span className={classes.current}>
        {effectiveAt
          ? t('billing.begins', { date: formatShortDate(effectiveAt, zone, locale) })
          : t('billing.waitsToBePaid')}
      </span>
    )
  }
  const words = isUp
    ? t('billing.upgrade')
    : period
      ? t('billing.downOn', { date: formatShortDate(period.periodEnd * 1000, zone, locale) })
      : t('billing.down')
  return (
    <>
      <ChangeButton
        size={size}
        fullWidth
        variant={isNext && !boughtNothing ? 'filled' : 'default'}
        aria-label={isUp ? t('billing.upgradeTo', { plan: name }) : t('common.labelled', { label: words, value: name })}
        onClick={() => list.onChoose(plan)}
      >
        {words}
      </ChangeButton>
      {isNext && (
        <span className={classes.today}>
          {today && t('billing.todayAmount', { amount: formatMoney(today.amount, list.currency, locale) })}
        </span>
      )}
    </>
  )
}
