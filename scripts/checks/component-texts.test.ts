import { expect, it } from 'vitest'
import { textsIn } from './component-texts.ts'

it.each([
  ['<button aria-label="Close">', 'aria-label="Close"'],
  ['<input id="a" placeholder="Your name" />', 'placeholder="Your name"'],
  ['<img alt="Ein Riff" />', 'alt="Ein Riff"'],
  ["const words = '你好'", "const words = '你好'"],
  ['<p>你好</p>', '<p>你好</p>'],
  ['<b aria-label={`${label}: ${chosen}`}>', '<b aria-label={`${label}: ${chosen}`}>'],
])('a text in a component is found: %s', (line, text) => {
  expect(textsIn('A.tsx', `import x\n${line}`)).toEqual([`A.tsx:2: ${text} belongs into the language files`])
})

it.each([
  'aria-label={t("a.close")}',
  '<a title={name}>',
  '<img alt="" />',
  'style={`a: ${b}`}',
  '<p className="title">',
  '// 18 Mar 2026 · 2026年3月18日',
  ' * as 2026年3月18日',
])('and nothing where none is: %s', (line) => {
  expect(textsIn('A.tsx', line)).toEqual([])
})
