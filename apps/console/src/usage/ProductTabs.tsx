import { UnreadableRows } from '../kit/table/UnreadableRows.tsx'
import '@mantine/core/styles/Tabs.layer.css'
import type { MeteredProduct, UsageDays } from '@atoll/contract/billing'
import { Meter } from '@atoll/ui'
import { formatFigure } from '@atoll/ui/i18n'
import { Tabs } from '@mantine/core'
import { meteredName } from '../billing/overview/plan/plan-words.ts'
import { daysOfPeriod } from '../kit/format/billing-dates.ts'
import { formatMoney } from '../kit/format/money.ts'
import { textOf, useLocale, useText } from '../locales/text.ts'
import { DayChart } from './DayChart.tsx'
import type { Day, ProductDays } from './day-figures.ts'
import classes from './ProductTabs.module.css'
import { Projection } from './Projection.tsx'

interface ProductTabsProps {
  period: UsageDays
  shown: ProductDays
  days: readonly Day[]
  /** ms of the account's clock. */
  now: number
  onChoose: (product: MeteredProduct) => void
}

/** As the board has them. */
const order: readonly MeteredProduct[] = ['cloud_traffic', 'cdn_traffic', 'cloud_storage', 'cloud_backup']
const placeOf = ({ productType }: ProductDays) => order.indexOf(productType)

/** A tab for each metered product with its usage and quota, and in the open one a chart of its days. */
export function ProductTabs({ period, shown, days, now, onChoose }: ProductTabsProps) {
  const t = useText()
  const locale = useLocale()
  const choose = (value: string | null) => {
    const found = period.products.find(({ productType }) => productType === value)
    if (found && found !== shown) onChoose(found.productType)
  }
  const { left } = daysOfPeriod(Date.parse(period.start) / 1000, Date.parse(period.end) / 1000, now)
  return (
    <Tabs value={shown.productType} onChange={choose} keepMounted={false} className={classes.card ?? ''}>
      <Tabs.List className={classes.list ?? ''} aria-label={t('usagePage.products')}>
        {period.products
          .toSorted((a, b) => placeOf(a) - placeOf(b))
          .map((product) => (
            <Tabs.Tab key={product.productType} value={product.productType} className={classes.tab ?? ''}>
              <span className={classes.name}>
                <span>{t(textOf(meteredName, product.productType))}</span>
                {product.amount > 0 && (
                  <span className={classes.cost}>{`+${formatMoney(product.amount, product.currency, locale)}`}</span>
                )}
              </span>
              <span className={classes.ofTab}>
                <Figures product={product} />
                <span aria-hidden="true">
                  <QuotaMeter product={product} />
                </span>
              </span>
            </Tabs.Tab>
          ))}
      </Tabs.List>
      <UnreadableRows of={period.products} />
      <Tabs.Panel value={shown.productType}>
        <div className={classes.head}>
          <div className={classes.headLine}>
            <Figures product={shown} />
            {period.isRunning && <span className="small quiet">{t('usagePage.daysLeft', { count: left })}</span>}
          </div>
          <QuotaMeter product={shown} />
          <Projection period={period} product={shown} now={now} />
        </div>
        <DayChart key={shown.productType} period={period} product={shown} days={days} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Figures({ product: { used, quota, unitLabel: unit } }: { product: ProductDays }) {
  const t = useText()
  const locale = useLocale()
  return (
    <span className={classes.figures}>
      <b>{formatFigure(used, 1, locale)}</b>
      <span>{t('billing.ofQuota', { quota: formatFigure(quota, 1, locale), unit })}</span>
    </span>
  )
}

function QuotaMeter({ product: { productType, used, quota, unitLabel: unit } }: { product: ProductDays }) {
  const t = useText()
  const locale = useLocale()
  const value = `${formatFigure(used, 1, locale)} ${t('billing.ofQuota', { quota: formatFigure(quota, 1, locale), unit })}`
  return (
    <Meter
      share={quota > 0 ? used / quota : used > 0 ? 2 : 0}
      label={t('common.labelled', { label: t(textOf(meteredName, productType)), value })}
    />
  )
}
