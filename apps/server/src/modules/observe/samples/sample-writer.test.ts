import { createTestClock } from '@atoll/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { silentLog } from '../../../platform/log.ts'
import { metricsOf } from '../testing/raw-samples.ts'
import type { SampleBatch, SamplePart } from './sample-store.ts'
import { createSampleWriter } from './sample-writer.ts'

const begin = Date.parse('2026-06-01T00:00:00Z')
const figures = { at: 0, cpu: 0.5, memory: 100, disk: 10, netIn: 0, netOut: 0 }

function startWriter(write: (batch: SampleBatch) => Promise<void> = async () => undefined) {
  const clock = createTestClock(new Date(begin))
  const batches: SampleBatch[] = []
  const measured: string[] = []
  const writer = createSampleWriter({
    store: {
      async write(batch) {
        await write(batch)
        batches.push(batch)
      },
    },
    clock,
    log: silentLog,
    onMeasured: async (ids) => void measured.push(...ids),
  })
  const parts = (): SamplePart[] => batches.flatMap((batch) => batch.parts)
  return { clock, writer, batches, measured, parts }
}

test('a process that is killed at any time has lost less than a minute of samples', async () => {
  const life = fc.record({
    rhythms: fc.array(fc.integer({ min: 1000, max: 9000 }), { minLength: 1, maxLength: 3 }),
    seconds: fc.integer({ min: 1, max: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(life, async ({ rhythms, seconds }) => {
      const { clock, writer, parts } = startWriter()
      const sent = rhythms.map(() => 0)
      try {
        for (let second = 0; second < seconds; second += 1) {
          rhythms.forEach((everyMs, at) => {
            if (Math.floor((second * 1000) / everyMs) <= (sent[at] ?? 0) && second > 0) return
            sent[at] = (sent[at] ?? 0) + 1
            writer.add(`in_${at}`, metricsOf({ ...figures, netIn: sent[at] ?? 0 }))
          })
          await writer.write()
          clock.advance(1000)
        }
        // Counters count the samples: what came up to a minute ago is written.
        const killedAt = clock.now().getTime()
        rhythms.forEach((_, at) => {
          const mine = parts().filter(({ instanceId }) => instanceId === `in_${at}`)
          const written = mine.reduce((sum, { samples }) => sum + samples, 0)
          const newest = Math.max(begin - 1, ...mine.map((part) => part.at.getTime()))
          expect(mine.reduce((most, { netIn }) => Math.max(most, netIn), 0)).toBe(written)
          expect(killedAt - newest).toBeLessThanOrEqual(60_000 + (rhythms[at] ?? 0))
        })
      } finally {
        await writer.stop()
      }
    }),
    { numRuns: 30 },
  )
})

test('the newest sample is written at once, then at most every 15 s, and published each time', async () => {
  const { clock, writer, batches, measured } = startWriter()
  for (let second = 0; second <= 60; second += 5) {
    writer.add('in_a', metricsOf({ ...figures, memory: second }))
    await writer.write()
    clock.advance(5000)
  }
  expect(batches.flatMap(({ latest }) => [...latest.values()].map(({ memoryUsed }) => memoryUsed))).toEqual([
    0, 15, 30, 45, 60,
  ])
  expect(measured).toHaveLength(5)
  await writer.stop()
})

test('a part ends with its minute and where a counter falls, so that nothing of it is lost', async () => {
  const { clock, writer, parts } = startWriter()
  for (const netIn of [10, 20, 3, 9]) {
    writer.add('in_a', metricsOf({ ...figures, netIn }))
    clock.advance(5000)
  }
  clock.advance(60_000)
  writer.add('in_a', metricsOf({ ...figures, netIn: 11 }))
  await writer.stop()
  expect(parts().map(({ netIn, samples }) => ({ netIn, samples }))).toEqual([
    { netIn: 20, samples: 2 },
    { netIn: 9, samples: 2 },
    { netIn: 11, samples: 1 },
  ])
})

test('what could not be written waits and is written later, with what came meanwhile', async () => {
  let isAway = true
  const { clock, writer, parts, batches } = startWriter(async () => {
    if (isAway) throw new Error('the database is away')
  })
  for (let second = 0; second < 300; second += 5) {
    writer.add('in_a', metricsOf(figures))
    await writer.write().catch(() => undefined)
    clock.advance(5000)
  }
  expect(parts()).toEqual([])
  isAway = false
  await writer.stop()
  expect(parts().reduce((sum, { samples }) => sum + samples, 0)).toBe(60)
  expect(batches[0]?.latest.get('in_a')?.at).toEqual(new Date(begin + 295_000))
})

test('one absurd figure does not spoil what others measured', async () => {
  const { writer, parts } = startWriter()
  writer.add('in_mad', metricsOf({ ...figures, cpu: 9000, memory: Number.MAX_SAFE_INTEGER, netIn: 0.4 }))
  writer.add('in_tiny', metricsOf({ ...figures, cpu: 1e-300, memory: 1e-300 }))
  await writer.stop()
  expect(parts()).toMatchObject([
    { cpu: 1, memory: Number.MAX_SAFE_INTEGER, netIn: 0 },
    { cpu: 0, memory: 0 },
  ])
})

test('a sample counts when it arrives, whatever year its agent believes in', async () => {
  const { writer, parts, batches } = startWriter()
  for (const [at, believed] of [0, Date.parse('2099-01-01T00:00:00Z')].entries())
    writer.add(`in_${at}`, metricsOf({ ...figures, at: believed }))
  await writer.stop()
  expect(parts().map(({ at }) => at)).toEqual([new Date(begin), new Date(begin)])
  expect([...(batches[0]?.latest.values() ?? [])].map(({ at }) => at)).toEqual([new Date(begin), new Date(begin)])
})
