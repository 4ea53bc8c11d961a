import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '../../../platform/clock.ts'
import { silentLog } from '../../../platform/log.ts'
import {
  type LatestSample,
  type Metric,
  metrics,
  type SamplePart,
  type SampleStore,
  type Series,
} from '../samples/sample-store.ts'
import { createSampleWriter } from '../samples/sample-writer.ts'
import { arbitraryHistory, isClose, meansOf, metricsOf, type RawSample } from './raw-samples.ts'

export interface StoreUnderTest {
  store: SampleStore
  /** Runs the driver's periodic work (rolling up, retention) at the clock's time. */
  tend(): Promise<void>
  close(): Promise<void>
}

interface MovableClock extends Clock {
  set(time: Date): void
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const grids = [3 * minute, 5 * minute, 15 * minute, 40 * minute]
let serial = 0
function newId(): string {
  serial += 1
  return `in_conformance${serial}`
}

/** Rates are those of `arbitraryHistory`: a million bytes a second at most, three times as much out as in. */
function expectTrueRates(raw: readonly RawSample[], found: Record<Metric, Series> | undefined): void {
  const [netIn = [], netOut = []] = [found?.netIn, found?.netOut]
  const steps = new Set(found?.cpu.map(([t]) => t))
  expect(netIn.filter(([t, value]) => !steps.has(t) || value < 0 || value > 1_000_000)).toEqual([])
  expect(netOut.map(([t]) => t)).toEqual(netIn.map(([t]) => t))
  for (const [at, [, value]] of netOut.entries()) {
    expect(Math.abs(value - 3 * (netIn[at]?.[1] ?? Number.NaN))).toBeLessThanOrEqual(2)
  }
  if (raw.length < 2) expect(netIn).toEqual([])
}

/** The contract of every driver of `SampleStore`. `begin` is a whole day, UTC. */
export function describeSampleStore(name: string, clock: MovableClock, open: () => Promise<StoreUnderTest>): void {
  const begin = clock.now().getTime()
  let under: StoreUnderTest
  let store: SampleStore
  beforeAll(async () => {
    under = await open()
    store = under.store
  })
  afterAll(() => under?.close())

  const latest = (ms: number, change: Partial<LatestSample> = {}): LatestSample => ({
    at: new Date(begin + ms),
    cpu: 0.5,
    memoryUsed: 100,
    memoryTotal: 200,
    diskUsed: 10,
    diskTotal: 20,
    ...change,
  })
  const part = (instanceId: string, ms: number, change: Partial<SamplePart> = {}): SamplePart => {
    const figures = { samples: 1, cpu: 0.5, cpuMax: 0.5, memory: 100, memoryMax: 100, disk: 10, netIn: 0, netOut: 0 }
    return { instanceId, at: new Date(begin + ms), ...figures, ...change }
  }
  const write = (parts: readonly SamplePart[], more: ReadonlyMap<string, LatestSample> = new Map()) => {
    const first = parts.map(({ instanceId }): [string, LatestSample] => [instanceId, latest(0)])
    return store.write({ latest: new Map([...first, ...more]), parts })
  }
  /** All of what was written in the first `ms`. */
  const read = async (id: string, stepMs = minute, ms = 4 * hour) =>
    (await store.series([id], metrics, { from: begin, to: begin + ms, stepMs })).get(id)

  describe(`samples in ${name}`, () => {
    test('the latest is the newest, in whatever order it comes', async () => {
      const [first, second, never] = [newId(), newId(), newId()]
      await store.write({ latest: new Map([[first, latest(5000, { cpu: 0.25 })]]), parts: [] })
      await store.write({
        latest: new Map([
          [first, latest(0)],
          [second, latest(0, { memoryUsed: 2 ** 40 })],
        ]),
        parts: [],
      })
      const found = await store.latest([first, second, never])
      expect([...found.keys()].sort()).toEqual([first, second].sort())
      expect(found.get(first)).toEqual(latest(5000, { cpu: 0.25 }))
      expect(found.get(second)).toMatchObject({ memoryUsed: 2 ** 40 })
    })

    test('a latest from before the clock was set back does not stand in the way', async () => {
      const id = newId()
      await store.write({ latest: new Map([[id, latest(day)]]), parts: [] })
      await store.write({ latest: new Map([[id, latest(1000, { cpu: 0.1 })]]), parts: [] })
      expect((await store.latest([id])).get(id)).toEqual(latest(1000, { cpu: 0.1 }))
    })

    test('a step without samples has no point, and no traffic is counted over it', async () => {
      const id = newId()
      const at = [50_000, 110_000, 2 * hour + 50_000, 2 * hour + 110_000]
      const netIn = [0, 600, 1_000_000, 1_000_600]
      await write(at.map((ms, n) => part(id, ms, { netIn: netIn[n] ?? 0 })))
      const found = await read(id)
      expect(found?.cpu.map(([t]) => (t - begin) / minute)).toEqual([0, 1, 120, 121])
      expect(found?.netIn).toEqual([
        [begin + minute, 10],
        [begin + 121 * minute, 10],
      ])
    })

    test('a counter that fell restarted from zero', async () => {
      const id = newId()
      await write([
        part(id, 50_000, { netOut: 1_000_000 }),
        part(id, 100_000, { netOut: 1_000_500 }),
        part(id, 150_000, { netOut: 250 }),
      ])
      expect((await read(id))?.netOut.map(([, value]) => value)).toEqual([10, 5])
    })

    test('a counter that jumps is believed up to what a link carries', async () => {
      const id = newId()
      await write([part(id, 50_000), part(id, 60_000, { netIn: 9e15, netOut: 9e15 })])
      expect((await read(id))?.netIn).toEqual([[begin + minute, 12.5e9]])
    })

    test('counters are read after one time and before another', async () => {
      const [one, other] = [newId(), newId()]
      await write([part(one, 3000, { netIn: 3 }), part(one, 1000, { netIn: 1 }), part(one, 2000), part(other, 1000)])
      const found = await store.counters(
        new Map([
          [one, new Date(begin + 1000)],
          [other, new Date(0)],
        ]),
        new Date(begin + 3000),
      )
      expect(found.get(one)).toEqual([{ at: new Date(begin + 2000), netIn: 0, netOut: 0 }])
      expect(found.get(other)).toHaveLength(1)
    })

    test('parts after a time are removed, of the named instances alone', async () => {
      const [id, other] = [newId(), newId()]
      await write([part(id, 1000), part(id, 2 * minute), part(other, 2 * minute)])
      await store.removeAfter([id, 'in_unknown'], new Date(begin + minute))
      const found = await store.counters(
        new Map([
          [id, new Date(0)],
          [other, new Date(0)],
        ]),
        new Date(begin + hour),
      )
      expect(found.get(id)).toEqual([{ at: new Date(begin + 1000), netIn: 0, netOut: 0 }])
      expect(found.get(other)).toHaveLength(1)
    })

    test('what is forgotten is not found, also when more of it comes, and begins empty when it is back', async () => {
      const [id, other] = [newId(), newId()]
      await write([part(id, 1000), part(other, 1000)])
      await store.forget([id, 'in_unknown'])
      await store.write({ latest: new Map(), parts: [part(id, 2000)] })
      expect((await store.latest([id, other])).has(id)).toBe(false)
      expect(await read(id)).toEqual({ cpu: [], memory: [], disk: [], netIn: [], netOut: [] })
      expect(await store.counters(new Map([[id, new Date(0)]]), new Date(begin + hour))).toEqual(new Map())
      await write([part(id, 3 * minute)])
      expect((await read(id))?.cpu).toHaveLength(1)
      expect((await read(other))?.cpu).toHaveLength(1)
    })

    test('only the requested metrics are read, of the requested instances', async () => {
      const [id, other] = [newId(), newId()]
      await write([part(id, 1000), part(other, 1000, { cpu: 0.25 })])
      const found = await store.series([id, other], ['cpu'], { from: begin, to: begin + hour, stepMs: minute })
      expect(found).toEqual(
        new Map([
          [id, { cpu: [[begin, 0.5]] }],
          [other, { cpu: [[begin, 0.25]] }],
        ]),
      )
    })

    test('each point is the mean of the raw samples of its step, whatever came late, twice or in another order', async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitraryHistory(begin),
          fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
          fc.constantFrom(0, 1, 2, 5, 10, 16, 30),
          async (raw, order, hoursLater) => {
            const id = newId()
            const batches = await gather(id, raw)
            // Any order, each batch maybe twice; the store tends itself between.
            const parts = batches.flatMap(({ parts: some }) => some)
            const shuffled = parts
              .map((one, at) => ({ one, key: order[at % order.length] ?? 0 }))
              .sort((a, b) => a.key - b.key)
            const last = raw.at(-1)?.at ?? begin
            clock.set(new Date(last + minute))
            for (const batch of batches) await store.write({ ...batch, parts: [] })
            for (let at = 0; at < shuffled.length; at += 7) {
              const some = shuffled.slice(at, at + 7).map(({ one }) => one)
              await store.write({ latest: new Map(), parts: some })
              if (at % 2 === 0) await store.write({ latest: new Map(), parts: some })
            }
            clock.set(new Date(last + minute + hoursLater * hour))
            await under.tend()
            // Steps of three minutes are read for as long as minutes are kept.
            for (const stepMs of grids.filter((one) => one !== 3 * minute || hoursLater <= 10)) {
              const from = Math.floor(begin / stepMs) * stepMs
              const to = Math.floor(last / stepMs) * stepMs + stepMs
              const found = (await store.series([id], metrics, { from, to, stepMs })).get(id)
              for (const metric of ['cpu', 'memory', 'disk'] as const) {
                const expected = meansOf(raw, metric, stepMs)
                if (!isClose(metric, found?.[metric] ?? [], expected)) expect(found?.[metric]).toEqual(expected)
              }
              expectTrueRates(raw, found)
            }
            clock.set(new Date(begin))
            return true
          },
        ),
        { numRuns: 12 },
      )
    })
  })

  /** The batches that a process writes which receives `raw`. */
  async function gather(id: string, raw: readonly RawSample[]) {
    const batches: { latest: ReadonlyMap<string, LatestSample>; parts: readonly SamplePart[] }[] = []
    const writer = createSampleWriter({
      store: { write: async (batch) => void batches.push(batch) },
      clock,
      log: silentLog,
      onMeasured: async () => undefined,
    })
    for (const sample of raw) {
      clock.set(new Date(sample.at))
      await writer.write()
      writer.add(id, metricsOf(sample))
    }
    await writer.stop()
    return batches
  }
}
