import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MonitorRange, monitorRanges } from '../../wire/constants.ts'
import { monitorGrid } from './monitor.ts'

test.each([
  ['12h', 3, 240],
  ['24h', 5, 288],
  ['3d', 15, 288],
  ['7d', 40, 252],
] as const)('%s has a point each %d min, %d of them', (range, minutes, points) => {
  const now = Date.parse('2026-03-18T14:27:40Z')
  const grid = monitorGrid(range, now)
  expect(grid).toMatchObject({ stepMs: minutes * 60_000, points })
  expect((grid.last - grid.from) / grid.stepMs).toBe(points - 1)
})

test('the newest step holds now, and the same step begins at the same time whenever it is asked for', () => {
  fc.assert(
    fc.property(fc.constantFrom(...monitorRanges), fc.integer({ min: 1e12, max: 4e12 }), (range: MonitorRange, now) => {
      const grid = monitorGrid(range, now)
      expect(now - grid.last).toBeGreaterThanOrEqual(0)
      expect(now - grid.last).toBeLessThan(grid.stepMs)
      expect(grid.from % grid.stepMs).toBe(0)
      expect(monitorGrid(range, now + grid.stepMs).from).toBe(grid.from + grid.stepMs)
    }),
  )
})
