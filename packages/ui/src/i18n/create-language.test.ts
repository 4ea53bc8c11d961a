import { afterEach, expect, test, vi } from 'vitest'
import { createLanguage, matchLocale } from './create-language.ts'

afterEach(() => vi.unstubAllGlobals())

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

test('of two choices the later one counts, also when the texts of the other come after it', async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('navigator', { languages: ['en-US'] })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  const slow = Promise.withResolvers<{ default: { hello: string } }>()
  const language = createLanguage<{ hello: string }>({
    storageKey: 'language',
    loaders: { 'en-US': async () => ({ default: { hello: 'Hello' } }), 'zh-CN': () => slow.promise },
  })
  await language.start()
  const chinese = language.choose('zh-CN')
  await language.choose('en-US')
  slow.resolve({ default: { hello: '你好' } })
  await chinese
  expect([language.current(), kept.get('language')]).toEqual(['en-US', 'en-US'])
  await language.choose('zh-CN')
  expect([language.i18n.t('hello'), kept.get('language')]).toEqual(['你好', 'zh-CN'])
})
