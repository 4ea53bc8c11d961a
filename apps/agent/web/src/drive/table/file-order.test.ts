import type { DriveEntry } from '@atoll/contract/personal-server'
import { expect, it } from 'vitest'
import { type FileOrder, nextOrder, sortFiles } from './file-order.ts'

const entry = (name: string, kind: DriveEntry['kind'], size: number, day: number): DriveEntry => ({
  name,
  kind,
  size,
  modifiedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
})
const entries = [
  entry('b10.txt', 'file', 5, 3),
  entry('Old', 'folder', 0, 1),
  entry('B2.txt', 'file', 5, 9),
  entry('new', 'folder', 0, 8),
  entry('a.txt', 'file', 70, 2),
]

it.each<[FileOrder, string[]]>([
  [{ by: 'name', descending: false }, ['new', 'Old', 'a.txt', 'B2.txt', 'b10.txt']],
  [{ by: 'name', descending: true }, ['Old', 'new', 'b10.txt', 'B2.txt', 'a.txt']],
  [{ by: 'size', descending: false }, ['new', 'Old', 'B2.txt', 'b10.txt', 'a.txt']],
  [{ by: 'size', descending: true }, ['new', 'Old', 'a.txt', 'B2.txt', 'b10.txt']],
  [{ by: 'modified', descending: true }, ['new', 'Old', 'B2.txt', 'b10.txt', 'a.txt']],
  [{ by: 'modified', descending: false }, ['Old', 'new', 'a.txt', 'b10.txt', 'B2.txt']],
])('%j keeps folders first, and what is alike by name', (order, names) => {
  expect(sortFiles(entries, order, 'en-US').map(({ name }) => name)).toEqual(names)
})

it('turns round at a second press, and begins a new key with what is wanted first', () => {
  const byName: FileOrder = { by: 'name', descending: false }
  expect(nextOrder(byName, 'name')).toEqual({ by: 'name', descending: true })
  expect(nextOrder(byName, 'size')).toEqual({ by: 'size', descending: true })
  expect(nextOrder({ by: 'size', descending: true }, 'name')).toEqual(byName)
})
