import { type ClusterMonitor, type MetricsContent, monitorGrid, type Series } from '@atoll/contract/clusters'
import { describe, expect, test } from 'vitest'
import type { Translate } from '../../locales/text.ts'
import { buildCharts, type ChartsSource } from './build-charts.ts'
import { figureOf } from './chart-figures.ts'

const t: Translate = (key, values) => (values ? `${key} ${Object.values(values).join(' ')}` : key)
const answeredAt = Date.parse('2026-03-18T14:27:40Z')
const { from, stepMs, points } = monitorGrid('12h', answeredAt)
const gibibyte = 1024 ** 3

/** The same value at each step of the grid but those in `silent`. */
const every = (value: number, silent: readonly number[] = []): Series =>
  Array.from({ length: points }, (_, at) => [from + at * stepMs, value] as [number, number]).filter(
    (_point, at) => !silent.includes(at),
  )
const content = (value: number, silent?: readonly number[]): MetricsContent => ({
  cpu: every(value, silent),
  memory: every(value * gibibyte, silent),
  disk: every(value * gibibyte, silent),
  netIn: every(value, silent),
  netOut: every(2 * value, silent),
})
const subject = { cores: 4, memoryTotal: 8 * gibibyte, diskTotal: 100 * gibibyte, createdAt: 0 }
const metrics = (facts: Partial<ClusterMonitor['metrics']> = {}): ClusterMonitor['metrics'] => ({
  content: content(0.5),
  workers: null,
  stepMs,
  lastUpdatedAt: new Date(answeredAt).toISOString(),
  ...facts,
})
const build = (facts: Partial<ChartsSource> = {}) =>
  buildCharts(
    {
      metrics: metrics(),
      range: '12h',
      answeredAt,
      first: { ...subject, label: 'Master' },
      second: undefined,
      ...facts,
    },
    'en-US',
    t,
  )
const second = { ...subject, memoryTotal: 4 * gibibyte, label: 'Workers' }
const times = (...steps: number[]) => steps.map((at) => from + at * stepMs)

describe('the four charts', () => {
  test('have a line of the master, and a second one of the workers; traffic has one each way', () => {
    expect(build().charts.map(({ key, series }) => [key, series.length])).toEqual([
      ['cpu', 1],
      ['memory', 1],
      ['disk', 1],
      ['network', 2],
    ])
    const { charts } = build({ metrics: metrics({ workers: content(0.25) }), second })
    expect(charts.map(({ series }) => series.map(({ label }) => label))).toEqual([
      ['Master', 'Workers'],
      ['Master', 'Workers'],
      ['Master', 'Workers'],
      ['monitoring.in', 'monitoring.out'],
    ])
    expect(charts[3]?.series[1]?.values[0]).toBe(2 * 0.5 + 2 * 0.25)
  })

  test('have their limits at 90 % of what each line can reach', () => {
    const [cpu, memory] = build({ metrics: metrics({ workers: content(0.25) }), second }).charts
    expect(cpu?.limits).toEqual([])
    expect(memory?.limits.map(({ value }) => value / gibibyte)).toEqual([7.2, 3.6])
    expect(build().charts[1]?.limits).toEqual([{ value: 7.2 * gibibyte, label: '90%' }])
  })

  test('have gaps where all were silent, and others where only the workers were', () => {
    const { gaps, workerGaps } = build({
      metrics: metrics({ content: content(0.5, [10, 11]), workers: content(0.25, [10, 11, 50]) }),
      second,
    })
    expect(gaps.map(({ from: begin, to }) => [begin, to])).toEqual([times(10, 12)])
    expect(workerGaps.map(({ from: begin, to }) => [begin, to])).toEqual([times(50, 51)])
  })

  test('do not add nothing for workers that were silent', () => {
    const { charts } = build({ metrics: metrics({ workers: content(0.25, [50]) }), second })
    expect(charts[3]?.series[0]?.values[50]).toBeUndefined()
    const late = build({ metrics: metrics({ workers: content(0.25, [0, 1, 2]) }), second })
    expect(late.charts[3]?.series[0]?.values.slice(2, 4)).toEqual([0.5, 0.75])
  })

  test('of an instance that has just been made begin with its first reading, without a gap before', () => {
    const silent = Array.from({ length: 100 }, (_, at) => at)
    const made = { ...subject, createdAt: from + 90 * stepMs, label: 'Master' }
    expect(build({ metrics: metrics({ content: content(0.5, silent) }), first: made }).gaps).toEqual([])
    expect(build({ metrics: metrics({ content: content(0.5, silent) }) }).gaps).toHaveLength(1)
  })
})

describe('the words above a chart', () => {
  test('are the live figure, of how much, and the peak', () => {
    const [cpu, memory] = build().charts
    if (!cpu || !memory) throw new Error('two of the four charts')
    const live = { cpu: 0.23, memoryUsed: 6.1 * gibibyte, diskUsed: 0 }
    expect(figureOf({ lines: cpu, subject, live, stale: false }, 'en-US', t)).toMatchObject({
      now: '23%',
      of: 'monitoring.ofCores 4',
    })
    expect(figureOf({ lines: memory, subject, live, stale: false }, 'en-US', t).now).toBe('6.1 GB')
  })

  test('are the last reading and that it is one while nothing is measured, and nothing without any', () => {
    const [cpu] = build().charts
    if (!cpu) throw new Error('one of the four charts')
    expect(figureOf({ lines: cpu, subject, live: undefined, stale: true }, 'en-US', t)).toEqual({
      now: '50%',
      of: 'monitoring.lastSeen',
      more: '',
    })
    const [empty] = build({ metrics: metrics({ content: content(0.5, [...Array(points).keys()]) }) }).charts
    if (!empty) throw new Error('one of the four charts')
    expect(figureOf({ lines: empty, subject, live: undefined, stale: false }, 'en-US', t).now).toBeUndefined()
  })
})
