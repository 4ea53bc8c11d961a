import { expect, test } from 'vitest'
import { writeDate } from './figures.ts'

const at = Date.UTC(2026, 8, 5, 12)

test('September is written with three letters as every other month, and in Chinese with spaces beside the digits', () => {
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  const months = Array.from({ length: 12 }, (_, month) => writeDate(Date.UTC(2026, month, 5), 'en-US', options))
  expect(months[8]).toBe('5 Sep 2026')
  for (const date of months) expect(date).toMatch(/^5 [A-Z][a-z]{2} 2026$/)
  expect(writeDate(at, 'zh-CN', options)).toBe('2026 年 9 月 5 日')
  expect(writeDate(at, 'en-US', { dateStyle: 'long', timeZone: 'UTC' })).toBe('5 September 2026')
})
