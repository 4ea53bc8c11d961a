import { planShow, type UsageDays } from '@atoll/contract/billing'
import { formatFigure } from '@atoll/ui/i18n'
import { useZone } from '../billing/shared/use-customer.ts'
import { useCall } from '../data/use-call.ts'
import { formatShortDate } from '../kit/format/billing-dates.ts'
import { formatMoney } from '../kit/format/money.ts'
import { useLocale, useText } from '../locales/text.ts'
import { type ProductDays, projectedUse } from './day-figures.ts'

interface ProjectionProps {
  period: UsageDays
  product: ProductDays
  /** ms of the account's clock. */
  now: number
}

const minorUnits = 100

/** The usage of the running period projected to its end, with its cost; nothing in the first days of a period. */
export function Projection({ period, product, now }: ProjectionProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const plan = useCall(planShow, {}).data?.plans.find(({ isCurrent }) => isCurrent)
  const { productType, used, quota, unitLabel: unit, currency } = product
  const projected = projectedUse(period, used, now)
  if (projected === undefined || used === 0) return null
  const figure = (value: number) => formatFigure(value, value < 10 ? 1 : 0, locale)
  const words = { used: figure(projected), date: formatShortDate(period.end, zone, locale), unit }
  const above = projected - quota
  if (above <= 0) return <p className="small soft">{t('usagePage.within', { ...words, left: figure(-above) })}</p>
  const rate = plan?.rates[productType]
  const amount = rate && formatMoney(Math.round(above * Number(rate) * minorUnits), currency, locale)
  return (
    <p className="small soft">
      {amount
        ? t('usagePage.above', { ...words, above: figure(above), amount })
        : t('usagePage.stops', { ...words, quota: figure(quota) })}
    </p>
  )
}
