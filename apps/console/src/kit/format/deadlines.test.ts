import { expect, test } from 'vitest'
import { explainDeadline, formatDeadline } from './deadlines.ts'

const now = Date.parse('2026-11-27T13:00:00Z')

// Both changes of the clock: 1 November and 14 March in America, 25 October and 28 March in Europe; India has none.
test.each([
  ['America/Los_Angeles', '2026-11-27T22:15:00Z', '14:15 PST', '14:15 UTC-8'],
  ['America/Los_Angeles', '2026-11-01T08:30:00Z', '1 Nov 01:30 PDT', '11 月 1 日 01:30 UTC-7'],
  ['America/Los_Angeles', '2026-11-01T09:30:00Z', '1 Nov 01:30 PST', '11 月 1 日 01:30 UTC-8'],
  ['America/Los_Angeles', '2027-03-14T10:30:00Z', '14 Mar 2027 03:30 PDT', '2027 年 3 月 14 日 03:30 UTC-7'],
  ['Asia/Kolkata', '2026-11-27T13:15:00Z', '18:45 UTC+5:30', '18:45 UTC+5:30'],
  ['Asia/Kolkata', '2026-11-27T18:45:00Z', '28 Nov 00:15 UTC+5:30', '11 月 28 日 00:15 UTC+5:30'],
  ['Europe/Berlin', '2026-11-27T13:15:00Z', '14:15 CET', '14:15 UTC+1'],
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '25 Oct 02:30 CEST', '10 月 25 日 02:30 UTC+2'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '25 Oct 02:30 CET', '10 月 25 日 02:30 UTC+1'],
  ['Europe/Berlin', '2027-03-28T01:30:00Z', '28 Mar 2027 03:30 CEST', '2027 年 3 月 28 日 03:30 UTC+2'],
  ['Europe/London', '2026-11-27T13:15:00Z', '13:15 GMT', '13:15 UTC'],
  ['Asia/Shanghai', '2026-11-27T13:15:00Z', '21:15 UTC+8', '21:15 UTC+8'],
  ['UTC', '2026-11-27T13:15:00Z', '13:15 UTC', '13:15 UTC'],
])('in %s the deadline %s is written %s and %s', (zone, time, english, chinese) => {
  expect(formatDeadline(time, now, 'en-US', zone)).toBe(english)
  expect(formatDeadline(time, now, 'zh-CN', zone)).toBe(chinese)
})

test('a deadline is explained in UTC with the time left', () => {
  expect(explainDeadline('2026-11-27T16:15:00Z', now, 'en-US')).toBe('27 Nov 2026, 16:15 UTC · in 3 hours')
  expect(explainDeadline('2026-11-29T13:15:00Z', now, 'zh-CN')).toMatch(/13:15 UTC · 2 天后$/)
  expect(explainDeadline('2026-11-27T13:00:20Z', now, 'en-US')).toBe('27 Nov 2026, 13:00 UTC · in 0 minutes')
})
