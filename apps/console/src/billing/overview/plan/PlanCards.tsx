import { useEffect, useRef } from 'react'
import { formatMoney } from '../../../kit/format/money.ts'
import { Tag } from '../../../kit/page/Tag.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { formatRate } from '../../shared/format-rate.ts'
import { PlanChoice } from './PlanChoice.tsx'
import classes from './Plans.module.css'
import type { PlanList } from './plan-list.ts'
import { quotaRows, rateRows } from './plan-words.ts'

/** The plans as cards in a row that is swiped, the account's own in view first. */
export function PlanCards({ list }: { list: PlanList }) {
  const t = useText()
  const locale = useLocale()
  const { plans, currency } = list
  const figure = new Intl.NumberFormat(locale).format
  const row = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const shown = row.current?.querySelector<HTMLElement>('[data-current]')
    // Not `scrollIntoView`: the page itself stays where it is.
    if (row.current && shown) row.current.scrollLeft = shown.offsetLeft - 16
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is swiped is also scrolled by keys
    <ul className={classes.swiped} ref={row} tabIndex={0} aria-label={t('billing.compare')}>
      {plans.map((plan) => (
        <li key={plan.planLevel} className={classes.plan} data-current={plan.isCurrent || undefined}>
          <div className={classes.planHead}>
            <span className={classes.name}>{plan.name}</span>
            {plan.isCurrent && <Tag tone="accent">{t('billing.yourPlan')}</Tag>}
          </div>
          <span className={classes.price}>
            <b>{formatMoney(plan.amount, currency, locale)}</b>
            {t('create.perMonth')}
          </span>
          <span className={classes.summary}>{plan.summary}</span>
          <dl className={classes.facts}>
            {quotaRows.map(({ label, text }) => (
              <div key={label}>
                <dt>{t(label)}</dt>
                <dd>{text(plan.quotas, figure)}</dd>
              </div>
            ))}
            {rateRows.map(({ label, product }) => {
              const rate = plan.rates[product]
              return (
                <div key={label}>
                  <dt>{t(label)}</dt>
                  <dd>{rate ? formatRate(rate, currency) : t('billing.stops')}</dd>
                </div>
              )
            })}
          </dl>
          {!plan.isCurrent && <PlanChoice plan={plan} list={list} size="lg" />}
        </li>
      ))}
    </ul>
  )
}
