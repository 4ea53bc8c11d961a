import type { planChangeEstimate } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { formatFigure } from '@atoll/ui/i18n'
import classes from '../../../kit/dialog/Dialog.module.css'
import { FigureLine } from '../../../kit/figures/FigureLine.tsx'
import { FigureLines } from '../../../kit/figures/FigureLines.tsx'
import { formatDate } from '../../../kit/format/billing-dates.ts'
import { textOf, useLocale, useText } from '../../../locales/text.ts'
import { useZone } from '../../shared/use-customer.ts'
import { meteredName } from './plan-words.ts'

/** Quotas that a raise within a period increases by the time that is left: until its end, and after it. */
export function IncludedLines({ estimate }: { estimate: CallData<typeof planChangeEstimate> }) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const growing = estimate.included.filter(({ untilEnd, after }) => untilEnd !== after)
  const stopped = estimate.included.filter(({ staysStopped }) => staysStopped)
  if (estimate.periodEnd === null) return null
  const date = formatDate(estimate.periodEnd, zone, locale)
  const title = t('billing.includedUntil', { date })
  return (
    <>
      {growing.length > 0 && (
        <>
          <p className={classes.help}>{title}</p>
          <FigureLines form="table" label={title}>
            {growing.map(({ productType, untilEnd, after, unitLabel }) => (
              <FigureLine
                key={productType}
                label={t(textOf(meteredName, productType))}
                detail={t('billing.includedAfter', { quota: formatFigure(after, 1, locale), unit: unitLabel })}
                amount={`${formatFigure(untilEnd, 1, locale)} ${unitLabel}`}
              />
            ))}
          </FigureLines>
        </>
      )}
      {stopped.map(({ productType }) => (
        <p key={productType} className={classes.help}>
          {t('billing.staysStopped', { what: t(textOf(meteredName, productType)), date })}
        </p>
      ))}
    </>
  )
}
