import { type MonitorGrid, monitorGrid } from '@atoll/contract/clusters'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { bytesAxis, percentAxis } from '../../../kit/figures/value-axis.ts'
import { writeCsv } from './chart-csv.ts'
import { placeChart, plot, plotFoot } from './chart-place.ts'
import { changesClocks, formatIso, formatMoment, timeTicks } from './time-axis.ts'

afterEach(() => vi.unstubAllEnvs())
const gibibyte = 1024 ** 3
const labels = ({ ticks }: { ticks: readonly { label: string }[] }) => ticks.map(({ label }) => label)

describe('an axis of values', () => {
  test.each([
    [12 * gibibyte, 1024, ['0 GB', '3 GB', '6 GB', '9 GB', '12 GB']],
    [15.6 * gibibyte, 1024, ['0 GB', '4 GB', '8 GB', '12 GB', '16 GB']],
    [1.9 * gibibyte, 1024, ['0 GB', '0.5 GB', '1 GB', '1.5 GB', '2 GB']],
    [15e6, 1000, ['0 MB', '4 MB', '8 MB', '12 MB', '16 MB']],
    [999_999, 1000, ['0 KB', '250 KB', '500 KB', '750 KB', '1,000 KB']],
    [1e6, 1000, ['0 MB', '0.25 MB', '0.5 MB', '0.75 MB', '1 MB']],
    [0, 1000, ['0 B', '1 B', '2 B', '3 B', '4 B']],
  ] as const)('up to %d bytes, in powers of %d, has five round lines', (highest, base, expected) => {
    expect(labels(bytesAxis(highest, base, 'en-US'))).toEqual(expected)
  })

  test('of shares goes to 100%', () => {
    expect(labels(percentAxis('en-US'))).toEqual(['0%', '25%', '50%', '75%', '100%'])
  })

  test('holds whatever is measured', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), fc.constantFrom(1000, 1024), (highest, base) => {
        const { top } = bytesAxis(highest, base, 'en-US')
        expect(top).toBeGreaterThanOrEqual(highest * (1 - 1e-9))
        expect(top).toBeLessThanOrEqual(Math.max(4, highest * 2))
      }),
    )
  })
})

/** The grid of `range` that ends with the step of `iso`. */
const endingAt = (range: Parameters<typeof monitorGrid>[0], iso: string) => monitorGrid(range, Date.parse(iso))

describe.each([
  // The 29th has 23 hours, the 25th of October 25.
  ['a day of 23 hours', '2026-03-29T21:59:00Z', 23],
  ['a day of 25 hours', '2026-10-25T22:59:00Z', 25],
])('%s in the viewer’s zone', (_name, end, hours) => {
  test('is as wide as it is long, and its words are local hours', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const grid = endingAt('3d', end)
    const days = timeTicks(grid, 10, 'en-US')
    expect(days.map(({ time }) => new Date(time).getHours())).toEqual(days.map(() => 0))
    const [before = 0, last = 0] = days.slice(-2).map(({ time }) => time)
    expect((last - before) / 3_600_000).toBe(hours)
    const place = placeChart(grid, 1, 460)
    const perHour = (place.xOfTime(last) - place.xOfTime(before)) / hours
    expect(perHour).toBeCloseTo((place.right - plot.left) / 72, 6)
    for (const { label, time } of timeTicks(endingAt('24h', end), 10, 'en-US'))
      expect(label).toBe(`${String(new Date(time).getHours()).padStart(2, '0')}:00`)
  })
})

test.each([
  ['has no midnight', 'America/Santiago', '2026-09-07T12:00:00Z', ['5 00:00', '6 01:00', '7 00:00']],
  ['has midnight twice', 'America/Havana', '2026-11-02T12:00:00Z', ['31 00:00', '1 00:00', '2 00:00']],
])('a day that %s has its word where it begins, once', (_name, zone, end, expected) => {
  vi.stubEnv('TZ', zone)
  const days = timeTicks(endingAt('3d', end), 10, 'en-US').map(({ time }) => formatIso(time))
  expect(days.map((day) => `${Number(day.slice(8, 10))} ${day.slice(11, 16)}`)).toEqual(expected)
  for (const range of ['12h', '24h'] as const) {
    const hours = timeTicks(endingAt(range, `${end.slice(0, 8)}0${Number(end[9]) - 1}T12:00:00Z`), 10, 'en-US')
    const words = hours.map(({ time }) => formatIso(time).slice(0, 16))
    expect(new Set(words).size).toBe(words.length)
    expect(words.length).toBeGreaterThan(1)
  }
})

test('an hour that comes twice is distinguished by its zone, on the screen and in a file', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const grid = endingAt('12h', '2026-10-25T06:00:00Z')
  expect(changesClocks(grid)).toBe(true)
  const [first, second] = [Date.parse('2026-10-25T00:30:00Z'), Date.parse('2026-10-25T01:30:00Z')]
  expect(formatMoment(first, grid, 'en-US')).toBe('25 Oct, 02:30 +02:00')
  expect(formatMoment(second, grid, 'en-US')).toBe('25 Oct, 02:30 +01:00')
  expect([formatIso(first), formatIso(second)]).toEqual(['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00'])
})

test.each([
  ['America/St_Johns', '2026-07-01T12:00:00Z', '2026-07-01T09:30:00-02:30'],
  ['Asia/Kathmandu', '2026-07-01T12:00:00Z', '2026-07-01T17:45:00+05:45'],
  ['UTC', '2026-07-01T12:00:00Z', '2026-07-01T12:00:00+00:00'],
])('in %s a file has local times with what they are ahead by', (zone, iso, expected) => {
  vi.stubEnv('TZ', zone)
  expect(formatIso(Date.parse(iso))).toBe(expected)
})

test('words below a chart are thinned from the newest on', () => {
  vi.stubEnv('TZ', 'UTC')
  const grid = endingAt('7d', '2026-03-18T14:27:00Z')
  expect(timeTicks(grid, 7, 'en-US').map(({ label }) => label)).toHaveLength(7)
  expect(timeTicks(grid, 4, 'en-US').map(({ label }) => label)).toEqual(['12 Mar', '14 Mar', '16 Mar', '18 Mar'])
  expect(timeTicks(grid, 4, 'zh-CN')[0]?.label).toBe('3 月 12 日')
})

test('every step is found again at the place where it is drawn', () => {
  const grid = endingAt('24h', '2026-03-18T14:27:00Z')
  const place = placeChart(grid, 100, 456)
  for (let at = 0; at < grid.points; at++) expect(place.indexAt(place.x(at))).toBe(at)
  expect([place.indexAt(-5), place.indexAt(9999)]).toEqual([0, grid.points - 1])
  expect([place.y(0), place.y(100), place.y(150)]).toEqual([plotFoot, plot.top, plot.top])
})

test('a file has a line a step, and nothing where nothing was read', () => {
  vi.stubEnv('TZ', 'UTC')
  const grid: MonitorGrid = { from: 0, last: 360_000, stepMs: 180_000, points: 3 }
  const columns = [
    { header: 'Master (%)', values: [0, undefined, 12.5] },
    { header: 'a "b", c', values: [1, 2, undefined] },
  ]
  expect(writeCsv('Time', columns, grid)).toBe(
    [
      'Time,Master (%),"a ""b"", c"',
      '1970-01-01T00:00:00+00:00,0,1',
      '1970-01-01T00:03:00+00:00,,2',
      '1970-01-01T00:06:00+00:00,12.5,',
      '',
    ].join('\r\n'),
  )
})
