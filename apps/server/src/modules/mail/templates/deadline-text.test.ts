import { expect, test } from 'vitest'
import { deadlineText } from './deadline-text.ts'

test.each([
  [
    '2026-12-10T13:00:00Z',
    'Europe/Berlin',
    '10 Dec 2026, 14:00 CET (13:00 UTC)',
    '2026年12月10日 14:00 UTC+1（13:00 UTC）',
  ],
  [
    '2027-03-28T01:30:00Z',
    'Europe/Berlin',
    '28 Mar 2027, 03:30 CEST (01:30 UTC)',
    '2027年3月28日 03:30 UTC+2（01:30 UTC）',
  ],
  [
    ...['2026-12-10T03:00:00Z', 'America/Los_Angeles'],
    ...['9 Dec 2026, 19:00 PST (10 Dec 2026, 03:00 UTC)', '2026年12月9日 19:00 UTC-8（2026年12月10日 03:00 UTC）'],
  ],
  [
    '2026-09-10T13:00:00Z',
    'Asia/Kolkata',
    '10 Sep 2026, 18:30 UTC+5:30 (13:00 UTC)',
    '2026年9月10日 18:30 UTC+5:30（13:00 UTC）',
  ],
  [
    '2026-12-10T13:00:00Z',
    'Etc/GMT-8',
    '10 Dec 2026, 21:00 UTC+8 (13:00 UTC)',
    '2026年12月10日 21:00 UTC+8（13:00 UTC）',
  ],
  ['2026-12-10T13:00:00Z', 'UTC', '10 Dec 2026, 13:00 UTC', '2026年12月10日 13:00 UTC'],
] as [string, string, string, string][])('%s is told to a reader in %s as %s and %s', (at, zone, english, chinese) => {
  expect(deadlineText(new Date(at), zone, 'en-US')).toBe(english)
  expect(deadlineText(new Date(at), zone, 'zh-CN')).toBe(chinese)
})
