import { formatMoney } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { formatRate } from '../../shared/format-rate.ts'
import { PlanChoice } from './PlanChoice.tsx'
import classes from './Plans.module.css'
import type { PlanList } from './plan-list.ts'
import { quotaRows, rateRows } from './plan-words.ts'

/** A column a plan; the one that the account has is tinted. */
export function PlanTable({ list }: { list: PlanList }) {
  const t = useText()
  const locale = useLocale()
  const { plans, currency } = list
  const figure = new Intl.NumberFormat(locale).format
  return (
    <table className={classes.table} aria-label={t('billing.compare')}>
      <thead>
        <tr>
          <td />
          {plans.map((plan) => (
            <th key={plan.planLevel} scope="col" data-current={plan.isCurrent || undefined}>
              <span className={classes.name}>{plan.name}</span>
              <span className={classes.price}>
                <b>{formatMoney(plan.amount, currency, locale)}</b>
                {t('create.perMonth')}
              </span>
              <span className={classes.summary}>{plan.summary}</span>
              <PlanChoice plan={plan} list={list} size="xs" />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {quotaRows.map(({ label, text }) => (
          <tr key={label}>
            <th scope="row">{t(label)}</th>
            {plans.map((plan) => (
              <td key={plan.planLevel} data-current={plan.isCurrent || undefined}>
                {text(plan.quotas, figure)}
              </td>
            ))}
          </tr>
        ))}
        {rateRows.map(({ label, product }) => (
          <tr key={label}>
            <th scope="row">{t(label)}</th>
            {plans.map((plan) => {
              const rate = plan.rates[product]
              return (
                <td key={plan.planLevel} data-current={plan.isCurrent || undefined}>
                  {rate ? formatRate(rate, currency) : <span className={classes.quiet}>{t('billing.stops')}</span>}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
