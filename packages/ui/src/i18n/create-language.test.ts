import { expect, test } from 'vitest'
import { matchLocale } from './create-language.ts'

test.each([
  [['zh-TW', 'en-US'], 'zh-CN'],
  [['zh'], 'zh-CN'],
  [['de-DE', 'zh-CN'], 'zh-CN'],
  [['EN-gb'], 'en-US'],
  [['fr-FR', 'de'], 'en-US'],
  [[], 'en-US'],
])('%j reads %s', (tags, locale) => {
  expect(matchLocale(tags)).toBe(locale)
})
