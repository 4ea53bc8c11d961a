import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { compareTexts, findFormGaps, findLocaleGaps, findStrayBraces, findUnusedKeys, flatten } from './locales.ts'

function compare(en: unknown, zh: unknown): string[] {
  return compareTexts({ name: 'en', texts: flatten(en) }, { name: 'zh', texts: flatten(zh) })
}

it('accepts languages with the same keys and placeholders, whatever their plural forms', () => {
  expect(
    compare(
      { home: { title: 'Hello {name}', count_one: 'One cluster', count_other: '{count} clusters' } },
      { home: { title: '你好 {name}', count_other: '{count} 个集群' } },
    ),
  ).toEqual([])
})

it('names keys that one language lacks', () => {
  expect(compare({ a: 'A', b: 'B' }, { a: '甲', c: '丙' })).toEqual(['zh lacks "b"', 'zh has "c", which en lacks'])
})

it('names a placeholder that was lost in translation', () => {
  expect(compare({ a: 'Hello {name}' }, { a: '你好' })).toEqual(['"a" mentions name in en and nothing in zh'])
})

it('names a text that is empty everywhere', () => {
  expect(compare({ a: ' ' }, { a: '' })).toEqual(['"a" is empty in en and zh'])
})

it('names the plural forms that a language never uses, and those it lacks', () => {
  const forms = (locale: string, texts: unknown) => findFormGaps({ name: locale, locale, texts: flatten(texts) })
  expect(forms('en-US', { a_one: 'one', a_other: 'many', b: 'plain' })).toEqual([])
  expect(forms('zh-CN', { a_other: '多' })).toEqual([])
  expect(forms('zh-CN', { a_one: '一', a_other: '多' })).toEqual(['zh-CN has "a_one", a form that zh-CN never uses'])
  expect(forms('en-US', { a_other: 'many' })).toEqual(['en-US lacks the form one of "a"'])
})

it('names a text whose braces are no placeholder', () => {
  const texts = flatten({ a: 'Hello {name}', b: 'Hello {{name}}', c: 'Hello {name' })
  expect(findStrayBraces({ name: 'en', texts })).toEqual([
    'en has a brace in "b" that is no placeholder: {name}',
    'en has a brace in "c" that is no placeholder: {name}',
  ])
})

it('names a key that nothing uses', () => {
  const texts = flatten({ home: { title: 'T', count_one: '1', count_other: 'n', stateOpen: 'O', gone: 'G' } })
  const sources = "t('home.title'); t('home.count', { count }); t(`home.state${state}`); // home.gone"
  expect(findUnusedKeys({ name: 'en', texts }, sources)).toEqual(['en has "home.gone", which nothing uses'])
})

it('reads every language file of a front end, in folders too, with the sources around it', () => {
  const root = mkdtempSync(join(tmpdir(), 'atoll-locales-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write('apps/shore/src/locales/en-US.json', '{ "a": { "b": "B", "c": "C" } }')
  write('apps/shore/src/locales/zh-CN.json', '{ "a": { "b": "B" } }')
  write('apps/shore/src/locales/pages/en-US.json', '{ "d": { "e": "E" } }')
  write('apps/shore/src/pages/texts/en-US.json', '{ "f": { "g": "G" }, "d": { "h": "H" } }')
  write('apps/shore/src/pages/texts/zh-CN.json', '{ "f": {}, "d": { "h": "H" } }')
  write('apps/shore/src/pages/Page.tsx', "t('a.b'); t('d.e'); t('f.g'); t('d.h')")
  write('apps/shore/src/pages/page.test.ts', "t('a.c')")
  try {
    expect(findLocaleGaps(root).toSorted()).toEqual([
      'apps/shore/src/locales/en-US.json has "a.c", which nothing uses',
      'apps/shore/src/locales/pages/en-US.json has the group "d" of apps/shore/src/pages/texts/en-US.json',
      'apps/shore/src/locales/pages/zh-CN.json is missing',
      'apps/shore/src/locales/zh-CN.json lacks "a.c"',
      'apps/shore/src/pages/texts/zh-CN.json lacks "f.g"',
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})
