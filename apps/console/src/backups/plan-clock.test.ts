import type { BackupSchedule } from '@atoll/contract/backups'
import { expect, test } from 'vitest'
import type { Translate } from '../locales/text.ts'
import { planWords, readerTimeWords } from './plan-clock.ts'

const t = ((key: string, { time }: { time?: string } = {}) =>
  `${key.slice('backups.'.length)} ${time ?? ''}`.trim()) as Translate // its keys, which the language files have
const daily: BackupSchedule = { every: 'day', at: '03:00' }
const late: BackupSchedule = { every: 'week', at: '23:30', weekday: 7 }
const hourly: BackupSchedule = { every: 'hour', minute: 45 }

// Between both changes of the clock Berlin is 8 hours ahead of Los Angeles, and 3 or 4 behind Kolkata.
test.each([
  [daily, 'America/Los_Angeles', '2026-10-20T12:00:00Z', 'yourTimeBefore 18:00 PDT', 'CEST'],
  [daily, 'America/Los_Angeles', '2026-10-27T12:00:00Z', 'yourTimeBefore 19:00 PDT', 'CET'],
  [daily, 'America/Los_Angeles', '2026-11-27T12:00:00Z', 'yourTimeBefore 18:00 PST', 'CET'],
  [daily, 'America/Los_Angeles', '2027-03-20T12:00:00Z', 'yourTimeBefore 19:00 PDT', 'CET'],
  [daily, 'Asia/Kolkata', '2026-11-27T12:00:00Z', 'yourTime 07:30 UTC+5:30', 'CET'],
  [daily, 'Asia/Kolkata', '2027-03-29T12:00:00Z', 'yourTime 06:30 UTC+5:30', 'CEST'],
  [late, 'Asia/Kolkata', '2026-11-27T12:00:00Z', 'yourTimeAfter 04:00 UTC+5:30', 'CET'],
  [hourly, 'Asia/Kolkata', '2026-11-27T12:00:00Z', 'yourTime :15 UTC+5:30', 'CET'],
] as const)('a plan of Berlin, %j, is told to a reader in %s at %s as %s', (schedule, zone, at, reader, name) => {
  const plan = { schedule, timeZone: 'Europe/Berlin' }
  expect(readerTimeWords(plan, Date.parse(at), t, 'en-US', zone)).toBe(reader)
  expect(planWords(plan, Date.parse(at), t, 'en-US', zone)).toMatch(new RegExp(` ${name}$`))
})

test.each([
  [hourly, 'America/Los_Angeles'],
  [daily, 'Europe/Rome'],
  [daily, 'Europe/Berlin'],
] as const)(
  'a plan of Berlin, %j, is told without a zone to a reader in %s, where it is the same',
  (schedule, zone) => {
    const at = Date.parse('2026-11-27T12:00:00Z')
    const plan = { schedule, timeZone: 'Europe/Berlin' }
    expect(readerTimeWords(plan, at, t, 'en-US', zone)).toBeUndefined()
    expect(planWords(plan, at, t, 'en-US', zone).endsWith(' ')).toBe(false)
  },
)

test('in Chinese a zone is its difference from UTC', () => {
  const plan = { schedule: daily, timeZone: 'Europe/Berlin' }
  const at = Date.parse('2026-11-27T12:00:00Z')
  expect(readerTimeWords(plan, at, t, 'zh-CN', 'America/Los_Angeles')).toBe('yourTimeBefore 18:00 UTC-8')
  expect(planWords(plan, at, t, 'zh-CN', 'America/Los_Angeles')).toMatch(/03:00 UTC\+1$/)
})
