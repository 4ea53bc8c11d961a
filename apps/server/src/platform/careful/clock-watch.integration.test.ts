import { createTestClock, type TestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../db/testing/use-database.ts'
import { silentLog } from '../log.ts'
import { acceptClock, type ClockWatch, createClockWatch } from './clock-watch.ts'
import { findDoubt, findHold } from './doubts.ts'

const harness = useDatabase()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let clock: TestClock
let mono: number
/** The world's time, where it is reached. */
let outside: Date | undefined

beforeEach(async () => {
  clock = createTestClock(new Date('2027-03-01T10:00:00Z'))
  mono = 5_000_000
  outside = undefined
  await harness.pool.query('truncate doubts, clock_marks')
})

const newWatch = () =>
  createClockWatch({
    db: harness.db,
    clock,
    log: silentLog,
    monotonicMs: () => mono,
    readOutside: async () => outside,
    storedTimes: [],
  })
const waits = async () => (await findHold(harness.db, { waits: 'deadline' })) !== undefined
/** Time goes by as it should, with the minutes' work. */
async function pass(watch: ClockWatch, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5 * minute) {
    clock.advance(5 * minute)
    mono += 5 * minute
    await watch.tick()
  }
}
async function started(): Promise<ClockWatch> {
  const watch = newWatch()
  await watch.start()
  await watch.stop()
  return watch
}

describe('a clock that jumps while a server runs', () => {
  test.each([
    ['forward', 16 * day],
    ['back', -3 * hour],
  ])('%s holds deadlines at the next act, until it was steady for an hour', async (_, jump) => {
    const watch = await started()
    await pass(watch, hour)
    expect(await waits()).toBe(false)
    clock.advance(jump)
    mono += 1000
    await watch.look()
    expect(await waits()).toBe(true)
    expect(await findHold(harness.db, { waits: 'careful' })).toBeUndefined()
    await pass(watch, 55 * minute)
    expect(await waits()).toBe(true)
    await pass(watch, 10 * minute)
    expect(await waits()).toBe(false)
  })

  test('and back again is two jumps: the hour begins with the second', async () => {
    const watch = await started()
    clock.advance(16 * day)
    await watch.look()
    await pass(watch, 50 * minute)
    clock.advance(-16 * day)
    await watch.look()
    await pass(watch, 50 * minute)
    expect(await waits()).toBe(true)
    await pass(watch, 15 * minute)
    expect(await waits()).toBe(false)
  })

  test('holds them for as long as an outside clock says otherwise, or until the operator accepts it', async () => {
    const watch = await started()
    outside = clock.now()
    clock.advance(16 * day)
    await watch.look()
    await pass(watch, 3 * hour)
    expect((await findDoubt(harness.db, 'clock'))?.why).toContain('an outside clock says 2027-03-01')
    expect(await acceptClock(harness.db, [], clock.now())).toBe(true)
    expect(await waits()).toBe(false)
    await pass(watch, 10 * minute)
    expect(await waits()).toBe(false)
  })

  test('is not what a network corrects', async () => {
    const watch = await started()
    clock.advance(9 * minute)
    await watch.look()
    await pass(watch, hour)
    expect(await waits()).toBe(false)
  })
})

describe('a server that starts', () => {
  test('after a stop holds nothing where an outside clock agrees, an hour where none is reached', async () => {
    await started()
    clock.advance(2 * day)
    outside = clock.now()
    await started()
    expect(await waits()).toBe(false)

    clock.advance(2 * day)
    outside = undefined
    const watch = await started()
    expect(await waits()).toBe(true)
    await pass(watch, 65 * minute)
    expect(await waits()).toBe(false)
    expect(await findDoubt(harness.db, 'stop')).toBeUndefined()
  })

  test('after a stop that nobody vouches for holds what fell due meanwhile, and nothing else', async () => {
    await started()
    const stoppedAt = clock.now()
    clock.advance(2 * day)
    await started()
    const startedAt = clock.now()
    const isHeld = async (dueAt: Date | 'each') =>
      (await findHold(harness.db, { waits: 'deadline', dueAt })) !== undefined
    const after = (time: Date, ms: number) => new Date(time.getTime() + ms)
    const moments = [after(stoppedAt, -1), stoppedAt, startedAt, after(startedAt, 1), 'each'] as const
    expect(await Promise.all(moments.map(isHeld))).toEqual([false, true, true, false, false])
    expect(await findDoubt(harness.db, 'clock')).toBeUndefined()
    // A second one in the same hour: all since the first.
    clock.advance(20 * minute)
    const watch = await started()
    expect(await Promise.all([stoppedAt, after(startedAt, 1), clock.now()].map(isHeld))).toEqual([true, true, true])
    await pass(watch, 30 * minute)
    expect(await isHeld(stoppedAt)).toBe(true)
    expect(await acceptClock(harness.db, [], clock.now())).toBe(true)
    expect(await isHeld(stoppedAt)).toBe(false)
    expect(await acceptClock(harness.db, [], clock.now())).toBe(false)
    // One that turns out to be a jump holds everything, as any jump does.
    clock.advance(2 * day)
    const jumped = await started()
    outside = new Date(clock.now().getTime() - 2 * day)
    await pass(jumped, 65 * minute)
    expect((await findDoubt(harness.db, 'clock'))?.why).toContain('an outside clock says')
    expect(await isHeld(after(clock.now(), 1))).toBe(true)
    await acceptClock(harness.db, [], clock.now())
  })

  test('before the time that was written holds them, whatever the outside says', async () => {
    await started()
    clock.advance(-day)
    outside = clock.now()
    await started()
    expect(await waits()).toBe(true)
  })
})
