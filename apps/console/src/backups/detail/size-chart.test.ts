import type { Snapshot } from '@atoll/contract/backups'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeSizes, plot } from './size-chart.ts'

const start = Date.UTC(2026, 0, 1)
function run(index: number, facts: Partial<Snapshot> = {}): Snapshot {
  const at = new Date(start + index * 86_400_000).toISOString()
  return {
    snapshotId: `sn_${String(index).padStart(10, '0')}`,
    kind: 'Incremental',
    state: 'Completed',
    scheduledFor: at,
    createdAt: at,
    startedAt: at,
    runningAt: at,
    endedAt: at,
    size: 1000,
    newBytes: 10,
    files: 3,
    unreadFiles: 0,
    reason: null,
    progress: null,
    proof: null,
    restorable: true,
    pin: null,
    forgotten: null,
    actions: [],
    cancellable: false,
    cancelAsked: false,
    ...facts,
  }
}
const failed = { state: 'Failed', size: null, newBytes: null } as const

test('no chart is drawn of fewer than two sizes', () => {
  expect(placeSizes([], 800, 'en-US')).toBeUndefined()
  expect(placeSizes([run(1)], 800, 'en-US')).toBeUndefined()
  expect(placeSizes([run(1), run(2, failed)], 800, 'en-US')).toBeUndefined()
  expect(placeSizes([run(1), run(2, { endedAt: null, size: null })], 800, 'en-US')).toBeUndefined()
})

test('sizes are counted as in plans, a GB for each 10⁹ bytes', () => {
  const place = placeSizes([run(1, { size: 4e9 }), run(2, { size: 8e9 })], 800, 'en-US')
  expect(place?.size.ticks.map(({ label }) => label)).toEqual(['0 GB', '2 GB', '4 GB', '6 GB', '8 GB'])
})

test('a full run does not flatten the others: its bar is cut, and a failed one is a mark', () => {
  const runs = [run(4), run(3, failed), run(2, { newBytes: 8 }), run(1, { kind: 'Fully', newBytes: 1000 })]
  const place = placeSizes(runs, 800, 'en-US')
  expect(place?.bars.map(({ state, isCut }) => `${state} ${isCut}`)).toEqual([
    ...['Completed true', 'Completed false', 'Failed false', 'Completed false'],
  ])
  expect(place?.fresh.top).toBeLessThan(50)
  expect(place?.size.top).toBeGreaterThanOrEqual(1000)
})

test('everything lies within the plot, whatever the sizes and the width', () => {
  const runs = fc.array(
    fc.record({
      size: fc.nat(2 ** 50),
      newBytes: fc.nat(2 ** 50),
      kind: fc.constantFrom('Fully' as const, 'Incremental' as const),
      proof: fc.constantFrom(null, { level: 'read' as const, at: new Date(start).toISOString() }),
    }),
    { minLength: 2, maxLength: 30 },
  )
  fc.assert(
    fc.property(runs, fc.integer({ min: 200, max: 2000 }), (facts, width) => {
      const place = placeSizes(
        facts.map((each, index) => run(index, each)),
        width,
        'en-US',
      )
      expect(place?.bars).toHaveLength(facts.length)
      expect(place?.proofs).toHaveLength(facts.filter(({ proof }) => proof !== null).length)
      const numbers = [...(place?.line ?? '').matchAll(/[ML]([\d.]+) ([\d.]+)/g)]
      expect(numbers).toHaveLength(facts.length)
      for (const [, x, y] of numbers) {
        expect(Number(x)).toBeGreaterThanOrEqual(plot.left)
        expect(Number(x)).toBeLessThanOrEqual(width - plot.right + 0.1)
        expect(Number(y)).toBeGreaterThanOrEqual(plot.top)
        expect(Number(y)).toBeLessThanOrEqual(plot.foot)
      }
      for (const { x, y, width: wide } of place?.bars ?? []) {
        expect(x).toBeGreaterThanOrEqual(plot.left - 0.1)
        expect(x + wide).toBeLessThanOrEqual(width - plot.right + 0.1)
        expect(y).toBeGreaterThanOrEqual(plot.top)
        expect(y).toBeLessThan(plot.foot)
      }
    }),
  )
})
