import { type PlanOffer, planChange, planShow, subscriptionPeriod } from '@atoll/contract/billing'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../../data/use-call.ts'
import { useCallMutation } from '../../../data/use-call-mutation.ts'
import { formatShortDate } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { ChangeButton } from '../../../kit/page/ChangeButton.tsx'
import { Tag } from '../../../kit/page/Tag.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import { useZone } from '../../shared/use-customer.ts'
import card from '../card/BillingCard.module.css'
import { BillingCard } from '../card/BillingCard.tsx'
import classes from './PlanCard.module.css'

/** The plan that the account has, until when it is paid, and what it becomes then. */
export function PlanCard() {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const query = useCall(planShow, {})
  const period = useCall(subscriptionPeriod, {}).data
  const takeBack = useCallMutation(planChange, { toast: true })
  const end = period && formatShortDate(period.periodEnd * 1000, zone, locale)
  const current = query.data?.plans.find(({ isCurrent }) => isCurrent)
  const pending = query.data?.pending
  const next = pending && query.data?.plans.find(({ planLevel }) => planLevel === pending.planLevel)
  return (
    <BillingCard
      title={t('billing.plan')}
      action={
        end && (
          <Tag tone={next ? 'amber' : 'accent'}>
            {next?.name && pending?.effectiveAt
              ? t('billing.becomes', {
                  plan: next.name,
                  date: formatShortDate(pending.effectiveAt, zone, locale),
                })
              : t(current?.amount ? 'billing.renews' : 'billing.countsFrom', { date: end })}
          </Tag>
        )
      }
      query={query}
      errorTitle={t('billing.planError')}
      height={176}
    >
      {({ currency }) => (
        <>
          <div className={card.body}>
            <div className={classes.name}>
              <b>{current?.name}</b>
              <span>{current && t('billing.aMonth', { amount: formatMoney(current.amount, currency, locale) })}</span>
            </div>
            <p className={classes.text}>{end && t('billing.planText', { date: end })}</p>
            {current && <Quotas quotas={current.quotas} />}
          </div>
          <div className={card.foot}>
            {pending?.invoiceId ? (
              <>
                <span>{next && t('billing.waitsForPayment', { plan: next.name })}</span>
                <Button
                  size="xs"
                  variant="filled"
                  className={card.footEnd ?? ''}
                  renderRoot={(props) => <Link {...props} to="/payment/$id" params={{ id: pending.invoiceId ?? '' }} />}
                >
                  {t('billing.pay')}
                </Button>
              </>
            ) : pending ? (
              <>
                <span>{next && t('billing.canTakeBack', { plan: next.name })}</span>
                <ChangeButton
                  size="xs"
                  className={card.footEnd ?? ''}
                  loading={takeBack.isPending}
                  onClick={() => current && takeBack.mutate({ planLevel: current.planLevel })}
                >
                  {current && t('billing.stay', { plan: current.name })}
                </ChangeButton>
              </>
            ) : (
              <a href="#plans" className={card.link}>
                {t('billing.comparePlans')}
              </a>
            )}
          </div>
        </>
      )}
    </BillingCard>
  )
}

function Quotas({ quotas: { storageGB, backupGB, trafficGB, vCpu } }: Pick<PlanOffer, 'quotas'>) {
  const t = useText()
  const figure = new Intl.NumberFormat(useLocale())
  const rows = [
    [t('billing.storage'), `${figure.format(storageGB)} GB`],
    [t('billing.backup'), `${figure.format(backupGB)} GB`],
    [t('billing.traffic'), `${figure.format(trafficGB)} GB`],
    [t('create.vCpuUnit'), figure.format(vCpu)],
  ]
  return (
    <dl className={classes.quotas}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
