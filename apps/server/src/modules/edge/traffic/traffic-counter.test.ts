import { createTestClock } from '@atoll/testkit'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../../platform/log.ts'
import { createTrafficCounter } from './traffic-counter.ts'

const hourMs = 3_600_000
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each byte is written once, in the hour that it passed in, however long and often the database is away', async () => {
  const step = fc.record({
    seconds: fc.integer({ min: 1, max: 2500 }),
    bytes: fc.integer({ min: 0, max: 1000 }),
    cluster: fc.constantFrom('cl_a', 'cl_b'),
    isAway: fc.boolean(),
  })
  // As long as the page has it: twenty minutes, over the turn of an hour.
  const twentyMinutes = [
    { seconds: 10, bytes: 1000, cluster: 'cl_a', isAway: true },
    { seconds: 1200, bytes: 500, cluster: 'cl_a', isAway: false },
  ]
  const histories = fc.array(step, { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const clock = createTestClock(new Date('2026-06-01T10:50:00Z'))
      const wanted = new Map<string, number>()
      const written = new Map<string, number>()
      let away = false
      const counter = createTrafficCounter({
        clock,
        log: silentLog,
        async addTraffic(at, counted) {
          if (away) throw new Error('the database is away')
          for (const { clusterId, in: bytes } of counted) add(written, clusterId, at, bytes)
        },
      })
      for (const { seconds, bytes, cluster, isAway } of steps) {
        away = isAway
        counter.count(cluster, 'edge', 'in', bytes)
        if (bytes > 0) add(wanted, cluster, clock.now(), bytes)
        // It is written within two seconds, or tried.
        await vi.advanceTimersByTimeAsync(2000)
        clock.advance(seconds * 1000)
      }
      away = false
      await counter.close()
      expect([...written].filter(([, bytes]) => bytes > 0).sort()).toEqual([...wanted].sort())
    }),
    { examples: [[twentyMinutes]] },
  )
  function add(to: Map<string, number>, clusterId: string, at: Date, bytes: number): void {
    const key = `${clusterId} ${Math.floor(at.getTime() / hourMs)}`
    to.set(key, (to.get(key) ?? 0) + bytes)
  }
})
