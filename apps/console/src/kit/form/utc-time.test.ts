import { expect, it } from 'vitest'
import { utcTime } from './utc-time.ts'

it('reads a day and a time as UTC, and a field that holds neither as empty', () => {
  expect(utcTime('2026-11-28T16:45')).toBe('2026-11-28T16:45:00.000Z')
  for (const typed of ['', '12345-01-01T00:00', '2026-11-28T']) expect(utcTime(typed), typed).toBeUndefined()
})
