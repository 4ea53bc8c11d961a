import type { Locale } from '@atoll/contract/wire'
import { formatHardware, formatPercent } from '@atoll/ui/i18n'
import type { Translate } from '../../locales/text.ts'
import { formatRate } from './build-charts.ts'
import type { ChartFigure, ChartKey, ChartLines } from './chart/chart.ts'
import { findPeak, type Values } from './chart/steps.ts'
import { formatWithin } from './chart/time-axis.ts'
import type { Subject } from './subjects.ts'

/** An instance's present measurements, ahead of the next point of its charts; undefined: unknown. */
export type LiveFigures = { cpu: number; memoryUsed: number; diskUsed: number } | undefined

/** The present value of a chart's first series; traffic is known by steps only. */
export function liveValue(key: ChartKey, live: LiveFigures): number | undefined {
  if (key === 'cpu') return live?.cpu
  if (key === 'memory') return live?.memoryUsed
  return key === 'disk' ? live?.diskUsed : undefined
}

interface FigureSource {
  lines: ChartLines
  subject: Subject
  live: LiveFigures
  /** As last measured. */
  stale: boolean
}

/** The words above a chart: now, of how much, and the peak. */
export function figureOf({ lines, subject, live, stale }: FigureSource, locale: Locale, t: Translate): ChartFigure {
  const { key, series, grid, format } = lines
  const [first, second] = series
  const value = liveValue(key, live) ?? newest(first?.values)
  if (value === undefined) return { now: undefined, of: ofWhat(), more: '' }
  return { now: format(value), of: stale ? t('monitoring.lastSeen') : ofWhat(), more: stale ? '' : more() }

  function ofWhat(): string {
    if (key === 'network') return t('monitoring.inNow')
    if (key === 'cpu') return t('monitoring.ofCores', { count: subject.cores })
    return t('monitoring.ofTotal', {
      total: formatHardware(key === 'memory' ? subject.memoryTotal : subject.diskTotal, locale),
    })
  }
  function more(): string {
    if (key === 'network') {
      const out = newest(second?.values)
      return out === undefined ? '' : t('monitoring.outNow', { value: formatRate(out, locale) })
    }
    const peak = findPeak(first?.values ?? [], grid)
    if (!peak) return ''
    const time = formatWithin(peak.time, grid, locale)
    const reached = key === 'cpu' ? formatPercent(peak.value, locale) : formatHardware(peak.value, locale)
    return t('monitoring.peak', { value: reached, time })
  }
}

function newest(values: Values | undefined): number | undefined {
  return values?.findLast((value) => value !== undefined)
}
