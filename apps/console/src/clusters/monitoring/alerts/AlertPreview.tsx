import type { MonitorGrid } from '@atoll/contract/clusters'
import { clusterAlertPreview, previewMs, previewStepMs } from '@atoll/contract/observe'
import type { CallRequest } from '@atoll/contract/wire'
import { formatPercent } from '@atoll/ui/i18n'
import { useDebouncedValue, useElementSize } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { serverNow } from '../../../config/runtime-config.ts'
import { useCall } from '../../../data/use-call.ts'
import { percentAxis } from '../../../kit/figures/value-axis.ts'
import { formatDayAndTime } from '../../../kit/format/times.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import chart from '../chart/Chart.module.css'
import { ChartBase } from '../chart/ChartBase.tsx'
import { placeChart, plot } from '../chart/chart-place.ts'
import { coverNewest, findGaps, toSteps } from '../chart/steps.ts'
import classes from './AlertPreview.module.css'

/** The time from the last key to another preview, ms. */
const typingMs = 400
const points = previewMs / previewStepMs

interface AlertPreviewProps {
  title: string
  /** The typed values, valid or not. */
  choice: CallRequest<typeof clusterAlertPreview>
}

/** How often the rule that is being typed would have fired in the last 7 days, and what it would have evaluated. */
export function AlertPreview({ title, choice }: AlertPreviewProps) {
  const t = useText()
  const locale = useLocale()
  const { ref, width } = useElementSize()
  const [settled] = useDebouncedValue(choice, typingMs)
  const isTakable = clusterAlertPreview.body.safeParse(settled).success
  const { data, error } = useCall(clusterAlertPreview, settled, {
    enabled: isTakable,
    placeholderData: keepPreviousData,
  })
  const now = serverNow()
  const last = Math.floor(now / previewStepMs) * previewStepMs
  const lines = useMemo(() => {
    if (!data) return undefined
    const grid: MonitorGrid = coverNewest(
      { from: last - (points - 1) * previewStepMs, last, stepMs: previewStepMs, points },
      [data.points],
    )
    const values = toSteps(
      data.points.map(([at, percent]) => [at, percent / 100]),
      grid,
    )
    const since = data.points[0]?.[0] ?? Number.POSITIVE_INFINITY
    return {
      ...({ key: 'disk', title, grid, axis: percentAxis(locale) } as const),
      series: [{ label: title, values }],
      gaps: findGaps([values], grid, { since, settled: last }),
      format: (value: number) => formatPercent(value, locale),
      csv: { unit: '%', figure: Math.round },
    }
  }, [data, title, locale, last])
  const place = useMemo(() => lines && placeChart(lines.grid, lines.axis.top, width), [lines, width])
  const share = Number(settled.threshold) / 100
  const limits = isTakable ? [{ value: share, label: formatPercent(share, locale) }] : []
  return (
    <div className={classes.preview} ref={ref} aria-live="polite">
      <div className={classes.head}>
        <b>
          {!isTakable
            ? t('alerts.previewUntakable')
            : error && !data
              ? t('alerts.previewFailed')
              : !data
                ? t('alerts.previewWaits')
                : data.points.length === 0
                  ? t('alerts.previewNothing')
                  : data.times === 0
                    ? t('alerts.previewNever')
                    : t('alerts.preview', { count: data.times })}
        </b>
        {isTakable && data?.lastAt && <span>{formatDayAndTime(data.lastAt, now, locale)}</span>}
      </div>
      <svg
        className={`${chart.plot} ${classes.plot}`}
        viewBox={`0 0 ${width || 1} ${plot.height}`}
        fill="none"
        aria-hidden="true"
      >
        {lines && place && place.right > plot.left && <ChartBase lines={{ ...lines, limits }} place={place} />}
      </svg>
    </div>
  )
}
