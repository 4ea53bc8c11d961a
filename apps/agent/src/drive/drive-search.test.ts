import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestFolder } from '../testing/seeded-home.ts'
import { createNameMatcher, type SearchLimits, searchFolder, searchLimits } from './drive-search.ts'

describe('a name', () => {
  test.each([
    ['reef', 'My Reef.jpg', true],
    ['2026 reef', 'reef-2026.jpg', true],
    ['reef sand', 'reef.jpg', false],
    ['cafe\u0301', 'CAFÉ.txt', true],
    ['礁', '珊瑚礁.jpg', true],
    ['.*', 'reef.jpg', false],
  ])('%j and %j: %s', (query, name, found) => {
    expect(createNameMatcher(query)(name)).toBe(found)
  })
})

async function search(root: string, query: string, limits: Partial<SearchLimits> = {}, signal?: AbortSignal) {
  const { entries, truncated } = await searchFolder({
    place: root,
    names: [],
    query,
    limits: { ...searchLimits, ...limits },
    ...(signal && { signal }),
  })
  return { paths: entries.map(({ path }) => path).toSorted(), truncated }
}

async function fill(root: string): Promise<void> {
  await mkdir(join(root, 'a/b'), { recursive: true })
  for (const name of ['reef', 'a/reef', 'a/b/reef', 'sand']) await writeFile(join(root, name), '')
}

test('nothing outside is found, by whatever link', async () => {
  await using folder = await createTestFolder()
  const [root, outside] = [join(folder.path, 'drive'), join(folder.path, 'outside')]
  await fill(root)
  await mkdir(outside)
  await writeFile(join(outside, 'reef secret'), '')
  await symlink(outside, join(root, 'a/way out'))
  await symlink(join(outside, 'reef secret'), join(root, 'reef link'))
  await symlink('..', join(root, 'a/b/up'))
  expect(await search(root, 'reef')).toEqual({ paths: ['/a/b/reef', '/a/reef', '/reef'], truncated: false })
})

test('every limit ends it, with what was found so far and the word that there may be more', async () => {
  await using folder = await createTestFolder()
  await fill(folder.path)
  expect(await search(folder.path, 'reef', { found: 3 })).toMatchObject({ truncated: false })
  const few = await search(folder.path, 'reef', { found: 2 })
  expect([few.paths, few.truncated]).toEqual([['/a/reef', '/reef'], true])
  expect(await search(folder.path, 'reef', { compared: 3 })).toEqual({ paths: ['/reef'], truncated: true })
  expect(await search(folder.path, 'reef', { time: 0 })).toEqual({ paths: [], truncated: true })
  expect(await search(folder.path, 'reef', {}, AbortSignal.abort())).toEqual({ paths: [], truncated: true })
})
