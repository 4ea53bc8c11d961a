import type { MonitorGrid, Resource, ResourceDetail } from '@atoll/contract/clusters'
import { defaultMonitorRange, type Locale, type MonitorRange } from '@atoll/contract/wire'
import { Notice } from '@atoll/ui'
import { Skeleton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { serverNow } from '../../config/runtime-config.ts'
import { LoadFailure } from '../../kit/page/LoadFailure.tsx'
import { sentenceGap } from '../../locales/sentence-gap.ts'
import { type Translate, useLocale, useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import { useMonitoring } from '../card/use-monitoring.ts'
import { clusterSearch } from '../frame/cluster-search.ts'
import { buildCharts } from './build-charts.ts'
import { ChartCard } from './chart/ChartCard.tsx'
import type { ChartKey } from './chart/chart.ts'
import type { Gap } from './chart/steps.ts'
import { formatWithin } from './chart/time-axis.ts'
import { figureOf, liveValue } from './chart-figures.ts'
import { MissingNotice } from './MissingNotice.tsx'
import classes from './MonitoringTab.module.css'
import { MonitoringToolbar } from './MonitoringToolbar.tsx'
import { rangeTitles } from './range-titles.ts'
import { addUpInstances, masterOf } from './subjects.ts'

/** Gaps that a sentence names; of more it says how many. */
const mostNamed = 3

/** Between two answers, ms: a point of seven days stands for 40 min. */
const everyMs = (range: MonitorRange) => (range === '7d' ? 120_000 : 30_000)

export interface MonitoringTabProps {
  cluster: Resource
  /** Undefined: not known yet. */
  instances: ResourceDetail['data'] | undefined
  /** The page shows what it last knew. */
  stale: boolean
}

/** A cluster's use of resources now and for up to a week, in four charts with one crosshair. */
export function MonitoringTab({ cluster, instances = [], stale: isPageStale }: MonitoringTabProps) {
  const t = useText()
  const locale = useLocale()
  const instanceName = useInstanceName()
  const navigate = useNavigate()
  // The router leaves in what the reading dropped, so it is read again.
  const { range = defaultMonitorRange, instance } = clusterSearch({ ...useSearch({ strict: false }) })
  const shown = instances.find(({ instanceId }) => instanceId === instance)
  const instanceId = shown?.instanceId
  const { monitor, answeredAt, missing, error, retry } = useMonitoring(cluster, {
    range,
    instanceId,
    everyMs: everyMs(range),
  })
  const [pointed, setPointed] = useState<{ chart: ChartKey; at: number }>()
  const stale = isPageStale || missing !== undefined || error !== null

  const master = shown ?? instances.find((one) => one.instanceId === cluster.instanceId)
  const workers = shown ? [] : instances.filter(({ role }) => role === 'worker')
  const subjects = useStable({
    first: {
      ...((master && addUpInstances([master])) ?? masterOf(cluster)),
      label: master ? instanceName(master) : t('cluster.master'),
    },
    second: withLabel(addUpInstances(workers), t('monitoring.workers')),
  })
  const metrics = monitor?.metrics
  const drawn = useMemo(() => {
    if (!metrics) return undefined
    const answeredBy = serverNow() - (Date.now() - answeredAt)
    return buildCharts({ metrics, range, answeredAt: answeredBy, ...subjects }, locale, t)
  }, [metrics, answeredAt, range, subjects, locale, t])
  const latest = stale ? undefined : ((master ?? cluster).latest ?? undefined)

  const open = (search: { range?: MonitorRange; instance?: string | undefined }) =>
    void navigate({
      to: '.',
      search: clusterSearch({ tab: 'monitoring', range, instance, ...search }),
      resetScroll: false,
    })
  return (
    <>
      <MonitoringToolbar
        range={range}
        onRange={(next) => open({ range: next })}
        instances={instances}
        instanceId={instanceId}
        onInstance={(next) => open({ instance: next })}
        metrics={metrics}
        stale={stale}
      />
      {missing && <MissingNotice missing={missing} cluster={cluster} hasReadings={monitor !== undefined} />}
      {!missing && error && monitor && (
        <Notice tone="coral" title={error.message} role="status">
          {t('monitoring.failedText')}
        </Notice>
      )}
      {!missing && error && !monitor && (
        <LoadFailure title={t('monitoring.failedTitle')} error={error} onRetry={retry} />
      )}
      {!drawn && !missing && !error && (
        <div className={classes.charts}>
          {[1, 2, 3, 4].map((number) => (
            <Skeleton key={number} height={286} radius={10} />
          ))}
        </div>
      )}
      {drawn && (
        <div className={classes.charts}>
          {drawn.charts.map((lines) => (
            <ChartCard
              key={lines.key}
              lines={lines}
              figure={figureOf({ lines, subject: subjects.first, live: latest, stale }, locale, t)}
              stale={stale}
              live={liveValue(lines.key, latest)}
              at={pointed?.at}
              isPointed={pointed?.chart === lines.key}
              onPoint={(at) => setPointed(at === undefined ? undefined : { chart: lines.key, at })}
              fileName={`${cluster.name}-${t(rangeTitles[range])}`.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}
              emptyText={t(missing ? 'monitoring.nothingKept' : 'monitoring.first')}
            />
          ))}
        </div>
      )}
      {drawn && (drawn.gaps.length > 0 || drawn.workerGaps.length > 0) && (
        <Notice
          title={[
            drawn.gaps.length > 0 && t('monitoring.gaps', { times: gapTimes(drawn.gaps, drawn.grid, locale, t) }),
            drawn.workerGaps.length > 0 &&
              t('monitoring.workerGaps', { times: gapTimes(drawn.workerGaps, drawn.grid, locale, t) }),
          ]
            .filter(Boolean)
            .join(sentenceGap(locale))}
        >
          {t('monitoring.gapsText')}
        </Notice>
      )}
    </>
  )
}

function withLabel<T extends object>(subject: T | undefined, label: string): (T & { label: string }) | undefined {
  return subject && { ...subject, label }
}

/** The former `value` while it is equal: results derived from it need not be computed again. */
function useStable<Value extends object>(value: Value): Value {
  const [kept, setKept] = useState(value)
  if (JSON.stringify(kept) === JSON.stringify(value)) return kept
  setKept(value)
  return value
}

/** When nothing was measured: `from 02:37 to 03:57 and since 14:10`; the newest gaps when there are many. */
function gapTimes(gaps: readonly Gap[], grid: MonitorGrid, locale: Locale, t: Translate): string {
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
