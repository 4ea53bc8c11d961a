import type { PaymentMethod } from '@atoll/contract/payments'
import { Meter } from '@atoll/ui'
import { formatMiB } from '@atoll/ui/i18n'
import type { ReactNode } from 'react'
import { formatMoney } from '../../../kit/format/money.ts'
import { LoadFailure } from '../../../kit/page/LoadFailure.tsx'
import { useLocale, useText } from '../../../locales/text.ts'
import type { CreateChoice } from '../../offers/create-choice.ts'
import { EstimateFigures } from '../../offers/EstimateFigures.tsx'
import { useEstimate } from '../../offers/use-estimate.ts'
import type { StepProps } from '../step-props.ts'
import { useCreateSearch } from '../use-create-search.ts'
import classes from './CreateSummary.module.css'

interface CreateSummaryProps {
  init: StepProps['init']
  choice: CreateChoice
  /** A sentence under the way on. */
  note: ReactNode
  /** The card that pays, where one was chosen; else the default one. */
  payer: PaymentMethod | undefined
  /** The way on. */
  children: ReactNode
}

/** The order and its cost; 'Pay now' is its largest figure. On a phone a bar at the bottom. */
export function CreateSummary({ init, choice, note, payer, children }: CreateSummaryProps) {
  const t = useText()
  const locale = useLocale()
  const { offer, version, region, cloud } = choice
  const { vCpuQuota, vCpuUsed } = init.instanceInfo.limit
  const isFree = offer?.price?.amount === 0
  const { estimate, error, refetch, method } = useEstimate({
    offering: isFree ? undefined : offer?.offering.name,
    couponCode: useCreateSearch().search.coupon,
  })
  const price = offer?.price ? formatMoney(offer.price.amount, offer.price.currency, locale) : '-'
  const used = vCpuUsed + (offer?.offering.cpuCoreCount ?? 0)
  const quota = t('create.quotaOf', { used, quota: vCpuQuota })
  return (
    <aside className={classes.summary} aria-label={t('create.summary')}>
      <div className={classes.rows}>
        <h2 className={classes.heading}>{t('create.summary')}</h2>
        {offer ? (
          <>
            <Row
              title={offer.offering.title}
              {...(!isFree && { value: price })}
              detail={[
                t('detail.size', {
                  cpu: offer.offering.cpuCoreCount,
                  memory: formatMiB(offer.offering.memorySize, locale),
                }),
                region?.title ?? cloud?.title,
              ]
                .filter(Boolean)
                .join(' · ')}
            />
            {version && <Row title={version.title} detail={version.summary} />}
          </>
        ) : (
          <p className={classes.empty}>{t('create.summaryEmpty')}</p>
        )}
      </div>
      <div className={classes.pay}>
        {isFree ? (
          <span className={classes.payLabel}>{t('create.noCharge')}</span>
        ) : estimate ? (
          <EstimateFigures estimate={estimate} method={payer ?? method} />
        ) : error ? (
          <LoadFailure title={t('create.estimateError')} error={error} onRetry={refetch} />
        ) : (
          <>
            <div className={classes.payNow}>
              <span className={classes.payLabel}>{t('create.payNow')}</span>
              <span className={classes.amount}>{price}</span>
            </div>
            <div className={classes.monthly}>
              <span>{t('create.thenMonthly')}</span>
              <span className={classes.number}>{price}</span>
            </div>
          </>
        )}
      </div>
      <div className={classes.end}>
        {offer && vCpuQuota > 0 && (
          <div className={classes.quota}>
            <div className={classes.monthly}>
              <span>{t('create.quotaAfter')}</span>
              <span className={classes.number}>{quota}</span>
            </div>
            <Meter
              share={used / vCpuQuota}
              height={4}
              label={t('common.labelled', { label: t('create.quotaAfter'), value: quota })}
            />
          </div>
        )}
        <div className={classes.action}>
          {!isFree && (
            <span className={classes.barPrice} aria-hidden="true">
              {estimate ? formatMoney(estimate.amount, estimate.currency, locale) : price}
              <small>{t(estimate ? 'create.payNow' : 'create.perMonth')}</small>
            </span>
          )}
          {children}
        </div>
        {note && <p className={classes.note}>{note}</p>}
      </div>
    </aside>
  )
}

function Row({ title, value, detail }: { title: string; value?: string; detail: string }) {
  return (
    <div className={classes.row}>
      <div>
        <div className="small">{title}</div>
        <div className={classes.detail}>{detail}</div>
      </div>
      {value !== undefined && <span className={classes.number}>{value}</span>}
    </div>
  )
}
