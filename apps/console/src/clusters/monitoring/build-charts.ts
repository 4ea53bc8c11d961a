/** From an answer to what the four charts draw. */
import { type ClusterMonitor, type MetricsContent, type MonitorGrid, monitorGrid } from '@atoll/contract/clusters'
import type { Locale, MonitorRange } from '@atoll/contract/wire'
import { formatBytes, formatHardware, formatPercent } from '@atoll/ui/i18n'
import { bytesAxis, percentAxis, type ValueAxis } from '../../kit/figures/value-axis.ts'
import type { TextKey, Translate } from '../../locales/text.ts'
import type { ChartKey, ChartLines } from './chart/chart.ts'
import { countReadings, coverNewest, findGaps, type Gap, toSteps, type Values } from './chart/steps.ts'
import type { Subject } from './subjects.ts'

/** Where an instance is about to be full. */
const limitShare = 0.9
/** How long a reading may be on its way before its step counts as silent, ms: they are stored by the minute. */
const onTheWayMs = 120_000

export interface ChartsSource {
  metrics: ClusterMonitor['metrics']
  range: MonitorRange
  /** The server's time, ms. */
  answeredAt: number
  first: Subject & { label: string }
  /** The workers, where they are drawn beside the master. */
  second: (Subject & { label: string }) | undefined
}

export interface Charts {
  grid: MonitorGrid
  charts: readonly ChartLines[]
  /** Steps in which nothing was measured, and those in which only the workers were silent. */
  gaps: readonly Gap[]
  workerGaps: readonly Gap[]
}

const chartTitles: Record<ChartKey, TextKey> = {
  cpu: 'monitoring.cpu',
  memory: 'monitoring.memory',
  disk: 'monitoring.disk',
  network: 'monitoring.network',
}

export function buildCharts(source: ChartsSource, locale: Locale, t: Translate): Charts {
  const { metrics, range, answeredAt, first, second } = source
  const workers = second ? metrics.workers : null
  const contents = [metrics.content, ...(workers ? [workers] : [])]
  const all = contents.flatMap((content) => Object.values(content))
  const grid = coverNewest(monitorGrid(range, answeredAt), all)
  const stepsOf = (metric: keyof MetricsContent) => contents.map((content) => toSteps(content[metric], grid))
  const awaited = { since: sinceWhen(first, stepsOf('cpu'), grid), settled: answeredAt - onTheWayMs }
  const labels = [first.label, second?.label ?? '']
  const named = (values: readonly Values[], names = labels) =>
    values.map((one, at) => ({ label: names[at] ?? '', values: one }))
  const limitsOf = (totals: readonly number[]) =>
    totals.map((total, at) => {
      const share = formatPercent(limitShare, locale)
      const label = totals.length > 1 ? t('monitoring.limitOf', { label: labels[at] ?? '', share }) : share
      return { value: total * limitShare, label }
    })
  const chart = (key: ChartKey, facts: Omit<ChartLines, 'key' | 'title' | 'grid' | 'gaps'>): ChartLines => {
    const gaps = findGaps(
      facts.series.map(({ values }) => values),
      grid,
      awaited,
    )
    return { key, title: t(chartTitles[key]), grid, gaps, ...facts }
  }
  const ofSize = (key: 'memory' | 'disk', totals: readonly number[]): ChartLines => {
    const values = stepsOf(key)
    return chart(key, {
      series: named(values),
      axis: bytesAxis(Math.max(...totals, highest(values)), 1024, locale),
      limits: limitsOf(totals.filter((total) => total > 0)),
      format: (value) => formatHardware(value, locale),
      csv: { unit: 'B', figure: Math.round },
    })
  }
  const sizes = (of: (subject: Subject) => number) => [of(first), ...(workers && second ? [of(second)] : [])]
  const traffic = [addUp(stepsOf('netIn')), addUp(stepsOf('netOut'))]
  const cpu = stepsOf('cpu')
  const axis: ValueAxis = percentAxis(locale)
  // A subject that never reported has no gap that could be named.
  const gaps = cpu.some((values) => countReadings(values) > 0) ? findGaps(cpu, grid, awaited) : []
  const workersSteps = cpu[1]
  return {
    grid,
    gaps,
    workerGaps: workersSteps ? findWorkerGaps(workersSteps, gaps, grid, awaited.settled) : [],
    charts: [
      chart('cpu', {
        series: named(cpu),
        axis,
        limits: [],
        format: (value) => formatPercent(value, locale),
        csv: { unit: '%', figure: (value) => Math.round(value * 10_000) / 100 },
      }),
      ofSize(
        'memory',
        sizes(({ memoryTotal }) => memoryTotal),
      ),
      ofSize(
        'disk',
        sizes(({ diskTotal }) => diskTotal),
      ),
      chart('network', {
        series: named(traffic, [t('monitoring.in'), t('monitoring.out')]),
        axis: bytesAxis(highest(traffic), 1000, locale),
        limits: [],
        format: (value) => formatRate(value, locale),
        csv: { unit: 'B/s', figure: Math.round },
      }),
    ],
  }
}

/** `4.4 MB/s` */
export function formatRate(bytes: number, locale: Locale): string {
  return `${formatBytes(bytes, locale)}/s`
}

/** One that was made within the grid is awaited from its first reading on: before, it was being installed. */
function sinceWhen({ createdAt }: Subject, all: readonly Values[], grid: MonitorGrid): number {
  if (createdAt < grid.from) return grid.from
  const first = Math.min(
    ...all.map((values) => values.findIndex((value) => value !== undefined)).filter((at) => at >= 0),
  )
  return Number.isFinite(first) ? grid.from + first * grid.stepMs : Number.POSITIVE_INFINITY
}

/** Silent steps of the workers since they first spoke, but for those in which everything was silent. */
function findWorkerGaps(values: Values, gaps: readonly Gap[], grid: MonitorGrid, settled: number): Gap[] {
  const first = values.findIndex((value) => value !== undefined)
  if (first < 0) return []
  const since = grid.from + first * grid.stepMs
  return findGaps([values], grid, { since, settled }).filter(
    ({ from, to }) => !gaps.some((gap) => gap.from <= from && to <= gap.to),
  )
}

/**
 * Traffic of master and workers as one. Once workers were measured, a step without them has no value: theirs is
 * unknown, not zero.
 */
function addUp([master = [], workers]: readonly Values[]): Values {
  if (!workers) return master
  const begun = workers.findIndex((value) => value !== undefined)
  return master.map((value, at) => {
    if (value === undefined || begun < 0 || at < begun) return value
    const more = workers[at]
    return more === undefined ? undefined : value + more
  })
}

function highest(all: readonly Values[]): number {
  return Math.max(0, ...all.flatMap((values) => values.map((value) => value ?? 0)))
}
