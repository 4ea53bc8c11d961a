import { once } from 'node:events'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createBandwidth, createBucket } from './bandwidth.ts'

const rate = 1_000_000
const chunks = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 500 }), bytes: fc.integer({ min: 1, max: 65_536 }) }),
  { minLength: 1, maxLength: 200 },
)

test('whatever comes when: by any time no more has passed than the burst and the rate let, and no more waits than must', () => {
  fc.assert(
    fc.property(chunks, (given) => {
      let now = 0
      const bucket = createBucket(rate, () => now)
      let passed = 0
      let lastPass = 0
      for (const { afterMs, bytes } of given) {
        now += afterMs
        const passesAt = now + bucket.take(bytes)
        passed += bytes
        // In the order in which they came.
        expect(passesAt).toBeGreaterThanOrEqual(lastPass)
        lastPass = passesAt
        expect(passed).toBeLessThanOrEqual(2 * rate + (passesAt / 1000) * rate + 1e-3)
        // A wait occurs only after the burst is used up.
        if (passesAt > now) expect(passed).toBeGreaterThan(2 * rate - 1)
      }
    }),
  )
})

test('another rate counts from its moment on, and never for more than its burst', () => {
  let now = 0
  const bucket = createBucket(rate, () => now)
  bucket.setRate(rate / 2)
  expect(bucket.take(rate)).toBe(0)
  expect(bucket.take(500)).toBe(1)
  now += 1
  bucket.setRate(rate * 2)
  expect(bucket.take(2000)).toBe(1)
})

test('one bucket per cluster for all visitors; none where no bandwidth is set; a stage that is destroyed keeps no timer', async () => {
  const throttleFor = createBandwidth()
  expect(throttleFor({ clusterId: 'cl_a' })).toBeUndefined()
  const [first, second, other] = ['cl_a', 'cl_a', 'cl_b'].map((clusterId) =>
    throttleFor({ clusterId, bytesPerSecond: 1 })?.(),
  )
  const seen: string[] = []
  for (const [name, stage] of Object.entries({ first, second, other })) stage?.on('data', () => seen.push(name))
  first?.write(Buffer.alloc(3))
  second?.write(Buffer.alloc(1))
  other?.end(Buffer.alloc(2))
  await once(other ?? process, 'end')
  expect(seen).toEqual(['other'])
  first?.destroy()
  second?.destroy()
})

test('a short body is taken as a whole: without a stage where there is room, else its first byte waits for all of it', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const throttle = createBandwidth()({ clusterId: 'cl_a', bytesPerSecond: 40_000 })
  expect(throttle?.(60_000)).toBeUndefined()
  // A burst of 80 000 has no room for it any more, nor for what comes after it, but for nothing there is always room.
  const stage = throttle?.(24_000) ?? expect.fail('it does not wait')
  expect(throttle?.(1)).toBeDefined()
  expect(throttle?.(0)).toBeUndefined()
  const passed: number[] = []
  stage.on('data', (chunk: Buffer) => passed.push(chunk.length))
  const ended = once(stage, 'end')
  stage.write(Buffer.alloc(20_000))
  stage.end(Buffer.alloc(4000))
  await vi.advanceTimersByTimeAsync(99)
  expect(passed).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await ended
  expect(passed).toEqual([20_000, 4000])
  await vi.advanceTimersByTimeAsync(10_000)
  // One that is long, or whose length is unknown, is taken as it comes.
  for (const length of [undefined, 1_000_000]) expect(throttle?.(length)).toBeDefined()
  expect(throttle?.(60_000)).toBeUndefined()
})

test('a sender without end has the rate to within 5 % over ten seconds, once the burst is used', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const throttle = createBandwidth()({ clusterId: 'cl_a', bytesPerSecond: rate })
  let passed = 0
  // Two at a time, of which one sends much and the other little at once.
  const stages = [65_536, 1000].map((bytes) => {
    const endless = Readable.from(forever(Buffer.alloc(bytes)))
    const stage = throttle?.() ?? expect.fail('nothing holds it back')
    stage.on('data', (chunk: Buffer) => {
      passed += chunk.length
    })
    return endless.pipe(stage)
  })
  await vi.advanceTimersByTimeAsync(1000)
  for (let window = 0; window < 3; window += 1) {
    const before = passed
    await vi.advanceTimersByTimeAsync(10_000)
    expect((passed - before) / (10 * rate)).toBeGreaterThan(0.95)
    expect((passed - before) / (10 * rate)).toBeLessThan(1.05)
  }
  for (const stage of stages) stage.destroy()
})

function* forever(chunk: Buffer): Generator<Buffer> {
  while (true) yield chunk
}
