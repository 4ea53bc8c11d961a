import { expect, it } from 'vitest'
import { findPreviewKind } from './preview-kind.ts'

it.each([
  ['reef.JPG', 'picture'],
  ['chart.pdf', 'pdf'],
  ['notes.md', 'text'],
  ['page.html', 'text'],
  ['drawing.svg', 'text'],
])('%s is shown as %s', (name, kind) => {
  expect(findPreviewKind(name)).toBe(kind)
})

it.each(['pdf', 'chart.pdf.zip'])('%s is not shown', (name) => {
  expect(findPreviewKind(name)).toBeUndefined()
})
