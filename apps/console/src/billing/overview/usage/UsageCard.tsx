import { type PlanUsage, planShow, planUsage, subscriptionPeriod, type UsageStop } from '@atoll/contract/billing'
import { Meter } from '@atoll/ui'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../../data/use-call.ts'
import { daysOfPeriod, formatPeriod } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { formatTime } from '../../../kit/format/times.ts'
import { UnreadableRows } from '../../../kit/table/UnreadableRows.tsx'
import { type TextKey, textOf, useLocale, useText } from '../../../locales/text.ts'
import { formatRate } from '../../shared/format-rate.ts'
import { useAccountNow, useZone } from '../../shared/use-customer.ts'
import card from '../card/BillingCard.module.css'
import { BillingCard } from '../card/BillingCard.tsx'
import { meteredName } from '../plan/plan-words.ts'
import classes from './UsageCard.module.css'

/** Why something stops, and what makes it go on. */
const stopText: Readonly<Record<UsageStop, TextKey>> = {
  plan: 'billing.usageLimited',
  means: 'billing.usageMeans',
  credit: 'billing.usageCredit',
  bill: 'billing.usageBill',
  cap: 'billing.usageFrozen',
  pastDue: 'billing.usagePastDue',
}

/** Use of the plan's quotas in its period, and the cost of more. */
export function UsageCard() {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const query = useCall(planUsage, {})
  const period = useCall(subscriptionPeriod, {}).data
  const now = useAccountNow()
  const asOf = query.data?.[0]?.asOf
  const days = period && daysOfPeriod(period.periodStart, period.periodEnd, now).left
  return (
    <BillingCard
      title={t('billing.usage')}
      note={
        period &&
        t('billing.usagePeriod', {
          period: formatPeriod(period.periodStart, period.periodEnd, zone, locale),
          count: days ?? 0,
        })
      }
      action={
        <>
          {asOf && <span className={card.quiet}>{t('cluster.asOf', { time: formatTime(asOf, now, locale) })}</span>}
          <Link to="/usage" className={card.link}>
            {t('billing.usageByDay')}
          </Link>
        </>
      }
      ruled
      query={query}
      errorTitle={t('billing.usageError')}
      height={118}
    >
      {(rows) => (
        <ul className={classes.products}>
          {rows.map((row) => (
            <Product key={row.productType} usage={row} />
          ))}
        </ul>
      )}
    </BillingCard>
  )
}

function Product({ usage }: { usage: PlanUsage }) {
  const t = useText()
  const locale = useLocale()
  const plan = useCall(planShow, {}).data?.plans.find(({ isCurrent }) => isCurrent)
  const { productType, used, quota, overage, unitLabel, amount, currency, state, stop, networks } = usage
  const name = t(textOf(meteredName, productType))
  const figure = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const ofQuota = t('billing.ofQuota', { quota: figure.format(quota), unit: unitLabel })
  const rate = plan?.rates[productType]
  const rateWords = rate && t('billing.rate', { rate: formatRate(rate, currency), unit: unitLabel })
  const then =
    state === 'limited' || state === 'frozen'
      ? t(textOf(stopText, stop ?? 'plan'))
      : state === 'charged' && rateWords
        ? t('billing.usageCharged', { overage: figure.format(overage), unit: unitLabel, rate: rateWords })
        : rateWords
          ? t('billing.usageThen', { rate: rateWords })
          : plan && t('billing.usageStops')
  const parts = networks.filter((part) => part.used > 0)
  const isDivided = parts.length > 1 || parts.some(({ network }) => network === 'CloudflareNetwork')
  return (
    <li className={classes.product}>
      <div className={classes.head}>
        <span>{name}</span>
        {amount > 0 && <span className={classes.cost}>{`+${formatMoney(amount, currency, locale)}`}</span>}
      </div>
      <div className={classes.used}>
        <b>{figure.format(used)}</b>
        <span>{ofQuota}</span>
      </div>
      <Meter
        share={quota > 0 ? used / quota : used > 0 ? 2 : 0}
        label={t('common.labelled', { label: name, value: `${figure.format(used)} ${ofQuota}` })}
      />
      <div className={classes.then} data-state={state}>
        {then}
        {isDivided && (
          <span>
            {parts
              .map(({ network, used: part }) =>
                t('billing.network', {
                  network: t(network === 'CloudflareNetwork' ? 'billing.networkCloudflare' : 'billing.networkRelay'),
                  used: figure.format(part),
                  unit: unitLabel,
                }),
              )
              .join(t('billing.comma'))}
          </span>
        )}
        <UnreadableRows of={networks} />
      </div>
    </li>
  )
}
