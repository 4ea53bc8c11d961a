import { afterEach, expect, test, vi } from 'vitest'
import { createLanguage } from './create-language.ts'
import { createTexts, type TextKeyOf } from './create-texts.ts'
import { matchLocale } from './match-locale.ts'

afterEach(() => vi.unstubAllGlobals())

/** Stubs a browser that speaks English; returns its storage. */
function stubBrowser(): Map<string, string> {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('navigator', { languages: ['en-US'] })
  vi.stubGlobal('document', { documentElement: { lang: '' } })
  return kept
}

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

test('the texts of a part come with it, and with every language that is chosen after it', async () => {
  stubBrowser()
  const language = createLanguage({
    storageKey: 'language',
    loaders: {
      'en-US': async () => ({ default: { hello: 'Hello' } }),
      'zh-CN': async () => ({ default: { hello: '你好' } }),
    },
  })
  await language.start()
  await language.loadPart({
    'en-US': async () => ({ default: { charts: { cpu: 'CPU' } } }),
    'zh-CN': async () => ({ default: { charts: { cpu: '处理器' } } }),
  })
  expect([language.plainText('charts.cpu'), language.plainText('hello')]).toEqual(['CPU', 'Hello'])
  await language.choose('zh-CN')
  expect([language.plainText('charts.cpu'), language.plainText('hello')]).toEqual(['处理器', '你好'])
})

test('a part whose texts come while the language is switched has those of the new one, before either is awaited', async () => {
  stubBrowser()
  const base = (hello: string) => async () => ({ default: { hello } })
  const language = createLanguage({
    storageKey: 'language',
    loaders: { 'en-US': base('Hello'), 'zh-CN': base('你好') },
  })
  await language.start()
  const slow = Promise.withResolvers<{ default: { charts: { cpu: string } } }>()
  let asked = 0
  const part = {
    'en-US': () => slow.promise,
    'zh-CN': async () => {
      asked++
      return { default: { charts: { cpu: '处理器' } } }
    },
  }
  const coming = language.loadPart(part)
  await language.choose('zh-CN')
  expect(language.plainText('charts.cpu')).toBe('处理器')
  slow.resolve({ default: { charts: { cpu: 'CPU' } } })
  await coming
  await language.loadPart(part)
  expect([language.plainText('charts.cpu'), asked]).toEqual(['处理器', 1])
  await language.choose('en-US')
  expect(language.plainText('charts.cpu')).toBe('CPU')
})

test('a text that mentions something is composed, one that mentions nothing stands as it is in either language', async () => {
  stubBrowser()
  const english = {
    page: { title: 'Clusters', open: 'Open {product}', rows_one: 'a row', rows_other: '{count} rows' },
  }
  const chinese = { page: { title: '集群', open: '打开 {product}', rows_other: '{count} 行' } }
  const language = createLanguage({
    storageKey: 'language',
    loaders: { 'en-US': async () => ({ default: english }), 'zh-CN': async () => ({ default: chinese }) },
  })
  const { text } = createTexts<TextKeyOf<typeof english>>(language)
  await language.start({ product: 'Atoll' })
  const all = () => [
    text('page.title'),
    text('page.open'),
    text('page.rows', { count: 1 }),
    text('page.rows', { count: 2 }),
  ]
  expect(all()).toEqual(['Clusters', 'Open Atoll', 'a row', '2 rows'])
  expect([language.plainText('page.open'), language.plainText('page'), language.plainText('none.such')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  await language.choose('zh-CN')
  expect(all()).toEqual(['集群', '打开 Atoll', '1 行', '2 行'])
})
