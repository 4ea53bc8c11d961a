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

it('reads every surface, with the sources of its front end', () => {
  const root = mkdtempSync(join(tmpdir(), 'atoll-locales-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  write('packages/texts/en-US/wallet/a.json', '{ "a": { "b": "B", "c": "C" } }')
  write('packages/texts/zh-CN/wallet/a.json', '{ "a": { "b": "B" } }')
  write('packages/texts/en-US/wallet/d.json', '{ "d": { "e": "E" } }')
  write('packages/texts/en-US/console/f.json', '{ "f": { "g": "G" }, "d": { "h": "H" } }')
  write('packages/texts/zh-CN/console/f.json', '{ "f": {}, "d": { "h": "H" } }')
  write('packages/texts/en-US/console/i.json', '{ "d": {} }')
  write('packages/texts/zh-CN/console/i.json', '{ "d": {} }')
  write('packages/texts/en-US/wallet/all.ts', "import a from './a.json'; import d from './d.json'")
  write('packages/texts/zh-CN/wallet/all.ts', "import a from './a.json'")
  write('apps/wallet/src/pages/Page.tsx', "t('a.b'); t('d.e')")
  write('apps/wallet/src/pages/page.test.ts', "t('a.c')")
  write('apps/console/src/pages/Page.tsx', "t('f.g'); t('d.h')")
  try {
    expect(findLocaleGaps(root).toSorted()).toEqual([
      'packages/texts/en-US/console/i.json has the group "d" of packages/texts/en-US/console/f.json',
      'packages/texts/en-US/wallet/a.json has "a.c", which nothing uses',
      'packages/texts/zh-CN/console/f.json lacks "f.g"',
      'packages/texts/zh-CN/wallet/a.json lacks "a.c"',
      'packages/texts/zh-CN/wallet/all.ts is not as packages/texts/en-US/wallet/all.ts',
      'packages/texts/zh-CN/wallet/d.json is missing',
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})
