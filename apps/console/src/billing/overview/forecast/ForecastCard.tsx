import '@mantine/core/styles/SegmentedControl.layer.css'
import { forecast } from '@atoll/contract/billing'
import { type CallData, countRows, unreadableRows } from '@atoll/contract/wire'
import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { formatMonth } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { formatTotal } from '../../../kit/format/total.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { useZone } from '../../shared/use-customer.ts'
import card from '../card/BillingCard.module.css'
import { BillingCard } from '../card/BillingCard.tsx'
import { useNewestInvoices } from '../card/use-newest-invoices.ts'
import { AssumedUsage } from './AssumedUsage.tsx'
import { readUsage, type TypedUsage } from './assumed-usage.ts'
import { ComingList } from './ComingList.tsx'
import classes from './ForecastCard.module.css'
import { byMonth } from './months.ts'
import { useForeseen } from './use-foreseen.ts'

const months = 12
/** The time from the last key to another forecast, ms. */
const typingMs = 400

/**
 * The cost of the next year if nothing changes, computed by the engine of the invoices; if the cards pay or decline.
 */
export function ForecastCard() {
  const t = useText()
  const [cards, setCards] = useState<'pay' | 'decline'>('pay')
  const [typed, setTyped] = useState<TypedUsage>({})
  const [settled] = useDebouncedValue(typed, typingMs)
  const usage = useMemo(() => readUsage(settled), [settled])
  const query = useForeseen(forecast, { months, cards, usage }, { placeholderData: keepPreviousData })
  const { hasNone } = useNewestInvoices()
  const isFolded = hasNone && query.data !== undefined && countRows(query.data.documents) === 0
  return (
    <BillingCard
      title={t('billing.forecast', { count: months })}
      folded={isFolded && t('billing.forecastNone')}
      action={
        !isFolded && (
          <SegmentedControl
            size="xs"
            aria-label={t('billing.forecastIf')}
            value={cards}
            onChange={(value) => setCards(value === 'pay' ? 'pay' : 'decline')}
            data={[
              { value: 'pay', label: t('billing.cardsPay') },
              { value: 'decline', label: t('billing.cardsDecline') },
            ]}
          />
        )
      }
      query={query}
      errorTitle={t('billing.forecastError')}
      height={220}
    >
      {({ documents }) => (
        <>
          {countRows(documents) === 0 ? (
            <div className={card.body}>
              <p className={card.quiet}>{t('billing.forecastNone')}</p>
            </div>
          ) : (
            <Year documents={documents} />
          )}
          <AssumedUsage typed={typed} onType={setTyped} />
        </>
      )}
    </BillingCard>
  )
}

function Year({ documents }: Pick<CallData<typeof forecast>, 'documents'>) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const currency = documents[0]?.currency ?? ''
  const money = (minor: number) => formatMoney(minor, currency, locale)
  // Of a month nobody knows what it comes to while one of its bills cannot be read.
  const bars = unreadableRows(documents) > 0 ? [] : byMonth(documents, zone)
  const most = Math.max(1, ...bars.map(({ fixed, usage }) => fixed + usage))
  return (
    <div className={card.body}>
      <div className={card.figure}>
        {formatTotal(
          documents.reduce((sum, { amount }) => sum + amount, 0),
          [documents],
          { currency, locale },
        )}
      </div>
      <p className={card.quiet}>{t('billing.forecastHelp', { count: countRows(documents) ?? 0 })}</p>
      {bars.some(({ usage }) => usage > 0) && (
        <div className={classes.legend}>
          <span>
            <i className={classes.fixed} aria-hidden="true" />
            {t('billing.forecastFixed')}
          </span>
          <span>
            <i className={classes.usage} aria-hidden="true" />
            {t('billing.forecastUsage')}
          </span>
        </div>
      )}
      {bars.length > 0 && (
        <ol className={classes.bars} aria-label={t('billing.byMonth')}>
          {bars.map(({ at, fixed, usage }) => (
            <li key={at} data-tip={money(fixed + usage)}>
              <span
                className={classes.stack}
                style={{ height: `${((fixed + usage) / most) * 100}%` }}
                aria-hidden="true"
              >
                {usage > 0 && <i className={classes.usage} style={{ flexGrow: usage }} />}
                {fixed > 0 && <i className={classes.fixed} style={{ flexGrow: fixed }} />}
              </span>
              <span className={classes.month}>{formatMonth(at, zone, locale)}</span>
              <span className="visually-hidden">{money(fixed + usage)}</span>
            </li>
          ))}
        </ol>
      )}
      <ComingList documents={documents} />
    </div>
  )
}
