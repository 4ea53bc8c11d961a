import type { Locale } from '@atoll/contract/wire'
import type { Translate } from '../../../locales/text.ts'
import type { ChartLines } from './chart.ts'
import { timeOf } from './steps.ts'
import { formatMoment } from './time-axis.ts'

/** One step in words: `18 Mar, 05:07: Master 37%, Workers no reading`. */
export function describeStep({ grid, series, format }: ChartLines, at: number, locale: Locale, t: Translate): string {
  const values = series.map(({ label, values }) => {
    const value = values[at]
    return t('monitoring.stepValue', { label, value: value === undefined ? t('monitoring.noReading') : format(value) })
  })
  return t('monitoring.step', {
    time: formatMoment(timeOf(grid, at), grid, locale),
    values: values.join(t('monitoring.stepComma')),
  })
}
