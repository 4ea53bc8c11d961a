import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFolderCache, sortEntries } from './folder-cache.ts'
import type { SnapshotEntry } from './ls-output.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const entry = (name: string, kind: SnapshotEntry['kind'] = 'file') => ({ name, kind, size: 0, modifiedAt: 0 })
const folderOf = (count: number) => ({ entries: Array.from({ length: count }, () => entry('a')), truncated: false })

/** A cache of `most`, and how often each key was read. */
function createCounted(most: number) {
  const cache = createFolderCache(most)
  const reads: string[] = []
  return {
    reads,
    get: (key: string, count = 1) =>
      cache.get(key, async () => {
        reads.push(key)
        return folderOf(count)
      }),
  }
}

test('a folder is read once, by however many at the same time', async () => {
  const { get, reads } = createCounted(100)
  await Promise.all([get('a'), get('a')])
  await get('a')
  expect(reads).toEqual(['a'])
})

test('the least recently used folder goes first when there is too much', async () => {
  const { get, reads } = createCounted(10)
  await get('a', 4)
  await get('b', 4)
  await get('a')
  await get('c', 4)
  await get('a')
  await get('b', 4)
  expect(reads).toEqual(['a', 'b', 'c', 'b'])
})

test('a folder that nobody opened for a quarter of an hour is read again', async () => {
  const { get, reads } = createCounted(10)
  await get('a')
  vi.advanceTimersByTime(14 * 60_000)
  await get('a')
  vi.advanceTimersByTime(14 * 60_000)
  await get('a')
  expect(reads).toEqual(['a'])
  vi.advanceTimersByTime(16 * 60_000)
  await get('a')
  expect(reads).toEqual(['a', 'a'])
})

test('what could not be read is tried again', async () => {
  const cache = createFolderCache()
  await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await cache.get('a', async () => folderOf(1))).toEqual(folderOf(1))
})

test('folders come first, then names as people count', () => {
  const sorted = sortEntries([entry('b10'), entry('B2'), entry('z', 'folder'), entry('a', 'link')])
  expect(sorted.map(({ name }) => name)).toEqual(['z', 'a', 'B2', 'b10'])
})
