import { afterEach, expect, test, vi } from 'vitest'
import { formatDeadline, formatDeadlineClock, formatMoment } from './times.ts'

afterEach(() => vi.unstubAllEnvs())

// Both changes of the clock in Berlin, and two zones beside it.
test.each([
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '25 Oct 2026, 02:30:00', 'CEST', 'UTC+2'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '25 Oct 2026, 02:30:00', 'CET', 'UTC+1'],
  ['Europe/Berlin', '2027-03-28T01:30:00Z', '28 Mar 2027, 03:30:00', 'CEST', 'UTC+2'],
  ['America/Los_Angeles', '2026-11-27T22:15:00Z', '27 Nov 2026, 14:15:00', 'PST', 'UTC-8'],
  ['Asia/Kolkata', '2026-11-27T13:15:00Z', '27 Nov 2026, 18:45:00', 'UTC+5:30', 'UTC+5:30'],
])('in %s what ends at %s names its zone, and a past time does not', (zone, time, moment, english, chinese) => {
  vi.stubEnv('TZ', zone)
  const at = Date.parse(time)
  expect(formatMoment(at, 'en-US')).toBe(moment)
  expect(formatDeadline(at, 'en-US')).toBe(`${moment} ${english}`)
  expect(formatDeadlineClock(at, 'en-US')).toBe(`${moment.slice(-8, -3)} ${english}`)
  expect(formatDeadline(at, 'zh-CN').endsWith(` ${chinese}`)).toBe(true)
})
