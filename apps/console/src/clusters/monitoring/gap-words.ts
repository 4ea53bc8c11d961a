import type { MonitorGrid } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import type { Translate } from '../../locales/text.ts'
import type { Gap } from './chart/steps.ts'
import { formatWithin } from './chart/time-axis.ts'

/** Gaps that a sentence names; of more it says how many. */
const mostNamed = 3

/** When nothing was measured: `from 02:37 to 03:57 and since 14:10`; the newest gaps when there are many. */
export function gapTimes(gaps: readonly Gap[], grid: MonitorGrid, locale: Locale, t: Translate): string {
  const named = gaps.slice(-mostNamed)
  const moment = (time: number) => formatWithin(time, grid, locale)
  const words = named.map(({ from, to }) =>
    to > grid.last
      ? t('monitoring.since', { time: moment(from) })
      : t('monitoring.between', { from: moment(from), to: moment(to) }),
  )
  const rest = gaps.length - named.length
  if (rest > 0) words.push(t('monitoring.moreTimes', { count: rest }))
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(words)
}
