import { expect, it } from 'vitest'
import { compareTexts, flatten } from './locales.ts'

function compare(en: unknown, zh: unknown): string[] {
  return compareTexts({ name: 'en', texts: flatten(en) }, { name: 'zh', texts: flatten(zh) })
}

it('accepts languages with the same keys and placeholders, whatever their plural forms', () => {
  expect(
    compare(
      { home: { title: 'Hello {{name}}', count_one: 'One cluster', count_other: '{{count}} clusters' } },
      { home: { title: '你好 {{name}}', count_other: '{{count}} 个集群' } },
    ),
  ).toEqual([])
})

it('names keys that one language lacks', () => {
  expect(compare({ a: 'A', b: 'B' }, { a: '甲', c: '丙' })).toEqual(['zh lacks "b"', 'zh has "c", which en lacks'])
})

it('names a placeholder that was lost in translation', () => {
  expect(compare({ a: 'Hello {{name}}' }, { a: '你好' })).toEqual(['"a" mentions name in en and nothing in zh'])
})

it('names a text that is empty everywhere', () => {
  expect(compare({ a: ' ' }, { a: '' })).toEqual(['"a" is empty in en and zh'])
})
