import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyDate, anyZone } from './money.fixture.ts'
import { addMonths, dayInZone, periodAt, periodIndexAt, startOfDay, type Zone } from './periods.ts'

/** 31 January 2027, at noon of each zone. */
const anchors: [Zone, Date][] = [
  ['UTC', new Date('2027-01-31T12:00:00Z')],
  ['UTC+8', new Date('2027-01-31T12:00:00+08:00')],
]
const lastDays = (year: number) => [31, year % 4 === 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

describe('months from an anchor', () => {
  test.each(anchors)('in %s go from 31 January to each month its last day, for 36 months', (zone, anchor) => {
    const days = Array.from({ length: 36 }, (_, k) => dayInZone(addMonths(anchor, k, zone), zone))
    const expected = [2027, 2028, 2029].flatMap((year) =>
      lastDays(year).map((day, at) => `${year}-${String(at + 1).padStart(2, '0')}-${day}`),
    )
    expect(days).toEqual(expected)
    expect(days.filter((day) => day.includes('-02-'))).toEqual(['2027-02-28', '2028-02-29', '2029-02-28'])
  })

  test('are those of the zone: 1 February in UTC+8 is still January in UTC', () => {
    const anchor = new Date('2027-02-01T02:00:00+08:00')
    expect(addMonths(anchor, 1, 'UTC+8')).toEqual(new Date('2027-03-01T02:00:00+08:00'))
    expect(addMonths(anchor, 1, 'UTC')).toEqual(new Date('2027-02-28T18:00:00Z'))
  })

  test('go on from a leap day', () => {
    const anchor = new Date('2028-02-29T00:00:00Z')
    expect([12, 24, 36, 48].map((k) => dayInZone(addMonths(anchor, k, 'UTC'), 'UTC'))).toEqual([
      ...['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ])
  })

  test('follow one another without a gap, keep the time of day, and hold each instant once', () => {
    fc.assert(
      fc.property(
        anyDate,
        anyZone,
        fc.integer({ min: 0, max: 36 }),
        fc.integer({ min: 0, max: 99 }),
        (anchor, zone, k, share) => {
          const period = periodAt(anchor, k, zone)
          expect(period.end).toEqual(periodAt(anchor, k + 1, zone).start)
          const days = (period.end.getTime() - period.start.getTime()) / 86_400_000
          expect([28, 29, 30, 31]).toContain(days)
          const within = new Date(period.start.getTime() + Math.floor((days * 86_400_000 * share) / 100))
          expect(periodIndexAt(anchor, within, zone)).toBe(k)
          expect(periodIndexAt(anchor, period.end, zone)).toBe(k + 1)
        },
      ),
    )
  })
})

test('a day begins at the zone’s midnight', () => {
  const at = new Date('2027-01-31T17:30:00Z')
  expect([dayInZone(at, 'UTC'), dayInZone(at, 'UTC+8')]).toEqual(['2027-01-31', '2027-02-01'])
  expect(startOfDay(at, 'UTC')).toEqual(new Date('2027-01-31T00:00:00Z'))
  expect(startOfDay(at, 'UTC+8')).toEqual(new Date('2027-02-01T00:00:00+08:00'))
})
