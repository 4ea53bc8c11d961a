import { expect, test } from 'vitest'
import { IsoTime } from './fields.ts'

test.each([
  ['2026-11-28T12:00:00+08:00', true],
  ['9999-12-31T23:59:59Z', true],
  ['9999-12-31T23:59:59-10:00', false],
  ['0000-01-01T00:00:00+10:00', false],
  ['tomorrow', false],
])('the time %s is taken: %s; what it is in UTC can be written as such a time', (text, isTaken) => {
  expect(IsoTime.safeParse(text).success).toBe(isTaken)
  if (isTaken) expect(IsoTime.safeParse(new Date(text).toISOString()).success).toBe(true)
})
