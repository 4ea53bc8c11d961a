import { formatBytes, formatHardware, formatMiB, formatPercent } from '@atoll/ui/i18n'
import { expect, test } from 'vitest'
import { daysOfPeriod, formatDate, formatDateAndTime, formatPeriod } from './billing-dates.ts'
import { formatDeadline } from './deadlines.ts'
import { formatBalance, formatChange, formatMoney, ofCustomer } from './money.ts'
import { browserZone, setReaderZone } from './reader-zone.ts'
import { formatDuration, formatStopwatch } from './stopwatch.ts'
import { formatAgo, formatDayAndTime, formatDayAndTimeWithin, formatTime, formatUptime } from './times.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [1536, '1.5 KB'],
  [999_600, '1 MB'],
  [6.13e9, '6.1 GB'],
  [146.4e9, '146 GB'],
  [5e18, '5,000 PB'],
  [-5, '0 B'],
])('%f bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes, 'en-US')).toBe(text)
})

test('hardware is whole', () => {
  expect(formatMiB(4096, 'zh-CN')).toBe('4 GB')
  expect(formatMiB(512, 'en-US')).toBe('512 MB')
  expect(formatHardware(6.13 * 1024 ** 3, 'en-US')).toBe('6.1 GB')
  expect(formatHardware(999.6 * 1024, 'en-US')).toBe('1 MB')
  expect(formatPercent(0.234, 'en-US')).toBe('23%')
})

test.each([
  [720, 'usd', '$7.20'],
  [0, 'usd', '$0.00'],
  [120_450, 'cny', '¥1,204.50'],
  [-288, 'usd', '\u2212$2.88'],
  [100, 'eur', '-'],
  [100, 'toString', '-'],
])('%i in %s is %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency, 'en-US')).toBe(text)
})

test.each([
  [0, '0:00'],
  [8_999, '0:08'],
  [760_000, '12:40'],
  [3_729_000, '1:02:09'],
  [-5, '0:00'],
])('%i ms are %s', (ms, text) => {
  expect(formatStopwatch(ms)).toBe(text)
})

test.each([
  [0, '0.0'],
  [340, '0.3'],
  [9_960, '9.9'],
  [-5, '0.0'],
  [10_000, '0:10'],
])('%i ms took %s', (ms, text) => {
  expect(formatDuration(ms, (_key: string, words?: { seconds?: string }) => words?.seconds ?? '')).toBe(text)
})

const now = new Date(2026, 2, 17, 14, 27, 50).getTime()

test('a time of today has no day, one of another year has it', () => {
  expect(formatTime(new Date(2026, 2, 17, 4, 2).getTime(), now, 'en-US')).toBe('04:02')
  expect(formatTime(new Date(2026, 2, 16, 21, 8).getTime(), now, 'en-US')).toBe('16 Mar 21:08')
  expect(formatTime(new Date(2025, 11, 31, 0, 0).getTime(), now, 'en-US')).toBe('31 Dec 2025 00:00')
  expect(formatDayAndTime(new Date(2026, 2, 17, 14, 26).getTime(), now, 'en-US')).toBe('Today 14:26')
  expect(formatDayAndTimeWithin(new Date(2026, 2, 17, 14, 26).getTime(), now, 'en-US')).toBe('today 14:26')
  expect(formatDayAndTime(new Date(2026, 2, 17, 14, 26).getTime(), now, 'zh-CN')).toBe('今天 14:26')
  expect(formatDayAndTime(new Date(2026, 2, 16, 21, 8).getTime(), now, 'zh-CN')).toBe('3 月 16 日 21:08')
})

// Both changes of the clock, and a zone that has none.
test.each([
  ['America/Los_Angeles', '2026-11-01T08:30:00Z', '1 Nov 01:30'],
  ['America/Los_Angeles', '2026-11-01T09:30:00Z', '1 Nov 01:30'],
  ['America/Los_Angeles', '2027-03-14T10:30:00Z', '14 Mar 2027 03:30'],
  ['America/Los_Angeles', '2026-11-28T07:59:00Z', '23:59'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '25 Oct 02:30'],
  ['Europe/Berlin', '2027-03-28T01:30:00Z', '28 Mar 2027 03:30'],
  ['Europe/Berlin', '2026-11-27T23:30:00Z', '28 Nov 00:30'],
  ['Asia/Kolkata', '2026-11-27T18:29:00Z', '23:59'],
  ['Asia/Kolkata', '2026-11-27T18:30:00Z', '28 Nov 00:00'],
  ['Asia/Kolkata', '2026-12-31T18:30:00Z', '1 Jan 2027 00:00'],
])('in %s a list has %s as %s, and does not print the zone', (zone, time, text) => {
  const noon = Date.parse('2026-11-27T17:00:00Z')
  expect(formatTime(time, noon, 'en-US', zone)).toBe(text)
  const isToday = /^\d\d:/.test(text)
  expect(formatDayAndTime(time, noon, 'en-US', zone)).toBe(isToday ? `Today ${text}` : text)
})

test('times are written in the zone of the account, and until it has one in that of the browser', () => {
  const noon = Date.parse('2026-11-27T12:00:00Z')
  setReaderZone('Asia/Kolkata')
  expect(formatTime(noon, noon, 'en-US')).toBe('17:30')
  expect(formatDeadline(noon, noon, 'en-US')).toBe('17:30 UTC+5:30')
  setReaderZone(undefined)
  expect(formatTime(noon, noon, 'en-US')).toBe(formatTime(noon, noon, 'en-US', browserZone()))
})

test.each([
  [58_000, '58 seconds ago'],
  [60_000, '1 minute ago'],
  [26 * 60_000, '26 minutes ago'],
  [3 * 3_600_000, '3 hours ago'],
  [29 * 86_400_000, '29 days ago'],
  [30 * 86_400_000, '1 month ago'],
  [-5_000, '0 seconds ago'],
])('%i ms are %s', (passed, text) => {
  expect(formatAgo(now - passed, now, 'en-US')).toBe(text)
})

test('Chinese has a space between Han and digits', () => {
  expect(formatAgo(now - 26 * 60_000, now, 'zh-CN')).toBe('26 分钟前')
  expect(formatTime(new Date(2025, 11, 31, 0, 0).getTime(), now, 'zh-CN')).toBe('2025 年 12 月 31 日 00:00')
})

test.each([
  [0, '0s', '0 秒'],
  [59_999, '59s', '59 秒'],
  [60_000, '1m', '1 分钟'],
  [3_599_000, '59m', '59 分钟'],
  [3_600_000, '1h', '1 小时'],
  [3_600_000 + 5 * 60_000, '1h 5m', '1 小时 5 分钟'],
  [86_400_000 * 3 + 3_600_000 * 4 + 59_000, '3d 4h', '3 天 4 小时'],
])('an uptime of %d ms is %s and %s', (ms, english, chinese) => {
  expect(formatUptime(ms, 'en-US')).toBe(english)
  expect(formatUptime(ms, 'zh-CN')).toBe(chinese)
})

test.each([
  [-472, '$4.72'],
  [0, '$0.00'],
  [47, '\u2212$0.47'],
])('a cash balance of %i is shown as %s', (cash, text) => {
  expect(formatBalance(cash, 'usd', 'en-US')).toBe(text)
  expect(Object.is(ofCustomer(cash), -0)).toBe(false)
})

test('a change has its sign, where its currency is known', () => {
  expect(formatChange(472, 'usd', 'en-US')).toBe('+$4.72')
  expect(formatChange(-1296, 'cny', 'zh-CN')).toBe('\u2212¥12.96')
  expect(formatChange(472, 'eur', 'en-US')).toBe('-')
})

test('dates of money are those of the account’s zone, wherever the reader is', () => {
  const evening = '2026-03-17T20:30:00Z'
  expect(formatDate(evening, 'UTC', 'en-US')).toBe('17 Mar 2026')
  expect(formatDate(evening, 'UTC+8', 'en-US')).toBe('18 Mar 2026')
  expect(formatDateAndTime(evening, 'UTC+8', 'en-US')).toBe('18 Mar 2026, 04:30')
  expect(formatDateAndTime(evening, 'UTC+8', 'zh-CN')).toBe('2026 年 3 月 18 日 04:30')
  const seconds = (day: string) => Date.parse(day) / 1000
  expect(formatPeriod(seconds('2026-03-18'), seconds('2026-04-18'), 'UTC', 'en-US')).toBe('18 Mar – 18 Apr')
  expect(formatPeriod(seconds('2026-12-18'), seconds('2027-01-18'), 'UTC', 'en-US')).toBe('18 Dec 2026 – 18 Jan 2027')
})

test('a period has its days, and as many left as have begun', () => {
  const [start, end] = [Date.parse('2026-03-04') / 1000, Date.parse('2026-04-04') / 1000]
  expect(daysOfPeriod(start, end, Date.parse('2026-03-18T10:00:00Z'))).toEqual({ days: 31, left: 17 })
  expect(daysOfPeriod(start, end, Date.parse('2026-05-01'))).toEqual({ days: 31, left: 0 })
})
