import { expect, test } from 'vitest'
import { statusLabels } from './statuses.ts'

test('labels each status differently', () => {
  for (const labels of Object.values(statusLabels)) expect(new Set(Object.values(labels)).size).toBe(22)
})

test('shows the labels of the specification', () => {
  expect(statusLabels['en-US'].inactivated).toBe('Pending activation')
  expect(statusLabels['en-US'].pending).toBe('OS pending')
})
