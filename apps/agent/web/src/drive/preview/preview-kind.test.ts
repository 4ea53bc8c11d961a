import { expect, it } from 'vitest'
import { findPreviewKind } from './preview-kind.ts'

it.each([
  ['reef.JPG', 'picture'],
  ['chart.pdf', 'pdf'],
  ['notes.md', 'text'],
  ['page.html', 'text'],
  ['drawing.svg', 'text'],
  ['pdf', undefined],
  ['chart.pdf.zip', undefined],
])('%s is shown as %s', (name, kind) => {
  expect(findPreviewKind(name)).toBe(kind)
})
