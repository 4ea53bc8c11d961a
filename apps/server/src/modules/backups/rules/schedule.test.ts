import { BackupSchedule, isSlotShared } from '@atoll/contract/backups'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dueSlot, intervalMs, jitterMs, slotAfter } from './schedule.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Shanghai', 'Australia/Lord_Howe', 'Pacific/Chatham']
const quarter = 15 * 60_000
const dayMs = 24 * 3600_000
const years = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2034, 0, 1) }

/** ms that the clock of `zone` is ahead of UTC, from Intl alone. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute) - at
}

/**
 * Wall clock time at each quarter of an hour of ten years, as the ms since 1970 at which a clock in UTC shows the same.
 */
function wallsOf(zone: string): Float64Array {
  const whole = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...whole })
  const walls = new Float64Array((years.to - years.from) / quarter)
  const perDay = dayMs / quarter
  for (let first = 0; first < walls.length; first += perDay) {
    const begin = years.from + first * quarter
    const offset = offsetAt(format, begin)
    const isSteady = offsetAt(format, begin + dayMs) === offset
    for (let i = first; i < Math.min(first + perDay, walls.length); i += 1) {
      const at = years.from + i * quarter
      walls[i] = at + (isSteady ? offset : offsetAt(format, at))
    }
  }
  return walls
}
const walls = new Map(zones.map((zone) => [zone, wallsOf(zone)]))

/** Every slot of ten years, by looking at each quarter of an hour in turn. */
function expectedSlots(schedule: BackupSchedule, zone: string): number[] {
  const shown = walls.get(zone) ?? new Float64Array()
  const slots: number[] = []
  if (schedule.every === 'hour') {
    shown.forEach((wall, i) => {
      if (new Date(wall).getUTCMinutes() === schedule.minute) slots.push(years.from + i * quarter)
    })
    return slots
  }
  const [hour = 0, minute = 0] = schedule.at.split(':').map(Number)
  const isDay = (wall: number) => {
    const day = new Date(wall)
    if (schedule.every === 'week') return (day.getUTCDay() + 6) % 7 === schedule.weekday - 1
    if (schedule.every === 'day') return true
    const length = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
    return day.getUTCDate() === Math.min(schedule.day, length)
  }
  let i = 0
  for (let date = Math.floor((shown[0] ?? 0) / dayMs) * dayMs + dayMs; ; date += dayMs) {
    const wanted = date + (hour * 60 + minute) * 60_000
    // The first moment at which the clock shows it, or has leapt over it.
    while (i < shown.length && (shown[i] ?? 0) < wanted) i += 1
    if (i >= shown.length) return slots
    if (isDay(date)) slots.push(years.from + i * quarter)
  }
}

const minutes = fc.constantFrom(0, 15, 30, 45)
const times = fc
  .tuple(fc.integer({ min: 0, max: 23 }), minutes)
  .map(([hour, minute]) => [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'))
const schedules: fc.Arbitrary<BackupSchedule> = fc.oneof(
  minutes.map((minute) => ({ every: 'hour' as const, minute })),
  times.map((at) => ({ every: 'day' as const, at })),
  fc.record({ every: fc.constant('week' as const), at: times, weekday: fc.integer({ min: 1, max: 7 }) }),
  fc.record({ every: fc.constant('month' as const), at: times, day: fc.integer({ min: 1, max: 31 }) }),
)

describe('slots', () => {
  test.each(zones)('of ten years in %s are each found once, spring and autumn among them', (zone) => {
    const tried: BackupSchedule[] = [
      { every: 'day', at: '02:15' },
      { every: 'week', at: '01:45', weekday: 7 },
      { every: 'month', at: '00:00', day: 31 },
    ]
    for (const schedule of tried) {
      const expected = expectedSlots(schedule, zone)
      const found: number[] = []
      for (let at = slotAfter(schedule, zone, new Date((expected[0] ?? 0) - 1)); found.length < expected.length; ) {
        found.push(at.getTime())
        at = slotAfter(schedule, zone, at)
      }
      expect(found).toEqual(expected)
    }
  })

  test('from any moment the next one is the one that looking at each quarter of an hour finds', () => {
    const of = new Map<string, number[]>()
    fc.assert(
      fc.property(
        schedules,
        fc.constantFrom(...zones),
        fc.integer({ min: years.from + 40 * dayMs, max: years.to - 80 * dayMs }),
        (schedule, zone, after) => {
          const key = JSON.stringify([schedule, zone])
          const slots = of.get(key) ?? expectedSlots(schedule, zone)
          of.set(key, slots)
          expect(slotAfter(schedule, zone, new Date(after)).getTime()).toBe(slots.find((slot) => slot > after))
        },
      ),
      { numRuns: 100 },
    )
  })

  test('a day has 23 or 25 hourly runs when the clock is set', () => {
    const runs = (from: string, to: string) => {
      let count = 0
      let at = new Date(Date.parse(from) - 1)
      for (;;) {
        at = slotAfter({ every: 'hour', minute: 15 }, 'Europe/Berlin', at)
        if (at.getTime() >= Date.parse(to)) return count
        count += 1
      }
    }
    expect(runs('2026-03-28T23:00Z', '2026-03-29T22:00Z')).toBe(23)
    expect(runs('2026-10-24T22:00Z', '2026-10-25T23:00Z')).toBe(25)
  })

  test('two schedules share a slot where their time of day is one', () => {
    const daily: BackupSchedule = { every: 'day', at: '03:15' }
    expect(isSlotShared(daily, { every: 'week', at: '03:15', weekday: 2 })).toBe(true)
    expect(isSlotShared(daily, { every: 'hour', minute: 15 })).toBe(true)
    expect(isSlotShared(daily, { every: 'hour', minute: 30 })).toBe(false)
    expect(isSlotShared(daily, { every: 'month', at: '03:30', day: 1 })).toBe(false)
    fc.assert(fc.property(schedules, schedules, (a, b) => isSlotShared(a, b) === isSlotShared(b, a)))
  })
})

describe('what is due', () => {
  test('is at most one run however many were missed, and the slots before now are dealt with', () => {
    fc.assert(
      fc.property(
        schedules,
        fc.constantFrom(...zones),
        fc.integer({ min: years.from, max: years.to }),
        fc.integer({ min: 0, max: 400 * dayMs }),
        (schedule, zone, since, gone) => {
          const now = new Date(since + gone)
          const { slot, next } = dueSlot(schedule, zone, new Date(since), now)
          expect(next.getTime()).toBeGreaterThan(now.getTime())
          expect(next).toEqual(slotAfter(schedule, zone, now))
          if (slot) {
            expect(slot.getTime()).toBeGreaterThan(since)
            expect(slotAfter(schedule, zone, slot)).toEqual(next)
          }
          expect(dueSlot(schedule, zone, slot ?? now, now).slot).toBeNull()
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a slot is not made up for shortly before the next one', () => {
    const at = (text: string) => new Date(`2026-06-${text}Z`)
    const daily: BackupSchedule = { every: 'day', at: '03:00' }
    expect(dueSlot(daily, 'UTC', at('01T03:00'), at('02T12:00')).slot).toEqual(at('02T03:00'))
    expect(dueSlot(daily, 'UTC', at('01T03:00'), at('03T01:00'))).toEqual({ slot: null, next: at('03T03:00') })
    expect(dueSlot(daily, 'UTC', at('01T03:00'), at('02T03:01')).slot).toEqual(at('02T03:00'))
  })
})

test('a backup begins the same time after its slot each time, within ten minutes and a tenth of the interval', () => {
  fc.assert(
    fc.property(fc.string(), schedules, (id, schedule) => {
      const jitter = jitterMs(id, schedule)
      expect(jitter).toBe(jitterMs(id, schedule))
      expect(jitter).toBeGreaterThanOrEqual(0)
      expect(jitter).toBeLessThanOrEqual(Math.min(10 * 60_000, intervalMs(schedule) / 10))
    }),
  )
  const shares = Array.from({ length: 200 }, (_, i) => jitterMs(`bk_${i}`, { every: 'day', at: '03:00' }))
  expect(Math.max(...shares) - Math.min(...shares)).toBeGreaterThan(8 * 60_000)
})

test('a schedule from a form is read as text, and what is off the quarter is refused', () => {
  expect(BackupSchedule.parse({ every: 'week', at: '03:00', weekday: '7' })).toMatchObject({ weekday: 7 })
  for (const wrong of [
    { every: 'day', at: '03:10' },
    { every: 'day', at: '24:00' },
    { every: 'hour', minute: 20 },
    { every: 'week', at: '03:00', weekday: 0 },
    { every: 'month', at: '03:00', day: 32 },
    { every: 'year', at: '03:00' },
  ])
    expect(BackupSchedule.safeParse(wrong).success).toBe(false)
})
