import { expect, it } from 'vitest'
import { localeOf } from './locale.ts'

it.each([
  [undefined, 'en-US'],
  ['', 'en-US'],
  ['zh-CN', 'zh-CN'],
  ['zh-Hant-TW', 'zh-CN'],
  ['en-GB,en;q=0.9,zh;q=0.8', 'en-US'],
  ['fr, zh;q=0.9, en;q=0.8', 'zh-CN'],
  ['en;q=0.2, zh;q=0.3', 'zh-CN'],
  ['zh;q=0', 'en-US'],
  ['*', 'en-US'],
  ['zh;q=nonsense', 'en-US'],
  [`${'x'.repeat(5000)},zh`, 'en-US'],
])('%j is %s', (header, locale) => {
  expect(localeOf(header)).toBe(locale)
})
