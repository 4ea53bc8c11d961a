import { type ForecastInvoice, upcomingInvoice } from '@atoll/contract/billing'
import { FigureLine } from '../../../kit/figures/FigureLine.tsx'
import { FigureLines } from '../../../kit/figures/FigureLines.tsx'
import { UnreadableLines } from '../../../kit/figures/UnreadableLines.tsx'
import { formatDate, formatPeriod } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { CreateButton } from '../../shared/CreateButton.tsx'
import { useZone } from '../../shared/use-customer.ts'
import card from '../card/BillingCard.module.css'
import { BillingCard } from '../card/BillingCard.tsx'
import { useForeseen } from '../forecast/use-foreseen.ts'
import { useSplitWords } from '../plan/use-split-words.ts'
import classes from './NextInvoiceCard.module.css'

/** The next bill under present conditions, by the engine that makes the bills. */
export function NextInvoiceCard() {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const query = useForeseen(upcomingInvoice, {})
  const at = query.data?.upcoming?.at
  return (
    <BillingCard
      title={t('billing.next')}
      action={at && <span className={card.quiet}>{t('billing.nextAt', { date: formatDate(at, zone, locale) })}</span>}
      query={query}
      errorTitle={t('billing.nextError')}
      height={176}
    >
      {({ upcoming }) =>
        upcoming ? (
          <Upcoming invoice={upcoming} />
        ) : (
          <div className={card.body}>
            <p className={card.quiet}>{t('billing.nextNone')}</p>
            <CreateButton variant="filled" mt={14} />
          </div>
        )
      }
    </BillingCard>
  )
}

function Upcoming({ invoice }: { invoice: ForecastInvoice }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const split = useSplitWords(invoice)
  const { items, discount, coupon, amount, currency } = invoice
  const money = (minor: number) => formatMoney(minor, currency, locale)
  return (
    <>
      <div className={card.body}>
        <FigureLines form="list" label={t('billing.next')}>
          {items.map((item, at) => (
            <FigureLine
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a bill have no other name
              key={at}
              label={item.productName}
              detail={[
                item.quantity > 1 ? t('billing.times', { count: item.quantity }) : '',
                formatPeriod(item.periodStart, item.periodEnd, zone, locale),
              ]
                .filter(Boolean)
                .join(' · ')}
              amount={money(item.amount)}
            />
          ))}
          <UnreadableLines of={items} />
          {discount > 0 && (
            <FigureLine
              label={coupon ? t('billing.coupon', { code: coupon }) : t('billing.discount')}
              amount={money(-discount)}
            />
          )}
        </FigureLines>
      </div>
      <div className={classes.total}>
        <div className={classes.sum}>
          <span>{t('billing.total')}</span>
          <span className={classes.figure}>{money(amount)}</span>
        </div>
        {split && <div className={classes.split}>{split}</div>}
      </div>
    </>
  )
}
