import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestFolder } from '../testing/seeded-home.ts'
import { createNameMatcher, type SearchLimits, type SearchOptions, searchFolder, searchLimits } from './drive-search.ts'

describe('a name', () => {
  test.each([
    ['reef', 'My Reef.jpg', true],
    ['2026 reef', 'reef-2026.jpg', true],
    ['reef sand', 'reef.jpg', false],
    ['cafe\u0301', 'CAFÉ.txt', true],
    ['礁', '珊瑚礁.jpg', true],
    ['.*', 'reef.jpg', false],
  ])('searching %j for the name %j finds it: %s', (query, name, found) => {
    expect(createNameMatcher(query)(name)).toBe(found)
  })
})

async function search(root: string, query: string, limits: Partial<SearchLimits> = {}, options: SearchOptions = {}) {
  const { entries, more, truncated } = await searchFolder({
    place: root,
    names: [],
    query,
    limits: { ...searchLimits, ...limits },
    ...options,
  })
  return { paths: entries.map(({ path }) => path).toSorted(), more, truncated }
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
  expect(await search(root, 'reef')).toEqual({
    paths: ['/a/b/reef', '/a/reef', '/reef'],
    more: false,
    truncated: false,
  })
})

test('its pages hold everything that was found, each once, and say whether there is another', async () => {
  await using folder = await createTestFolder()
  await fill(folder.path)
  const page = (offset: number) => search(folder.path, 'reef', { found: 2 }, { offset })
  expect(await page(0)).toEqual({ paths: ['/a/reef', '/reef'], more: true, truncated: false })
  expect(await page(2)).toEqual({ paths: ['/a/b/reef'], more: false, truncated: false })
  expect(await page(4)).toEqual({ paths: [], more: false, truncated: false })
  expect(await search(folder.path, 'reef', { found: 3 })).toMatchObject({ more: false, truncated: false })
})

test('a limit of names or time ends it, with what was found so far and the word that there may be others', async () => {
  await using folder = await createTestFolder()
  await fill(folder.path)
  const nothing = { paths: [], more: false, truncated: true }
  expect(await search(folder.path, 'reef', { compared: 3 })).toEqual({ ...nothing, paths: ['/reef'] })
  expect(await search(folder.path, 'reef', { time: 0 })).toEqual(nothing)
  expect(await search(folder.path, 'reef', {}, { signal: AbortSignal.abort() })).toEqual(nothing)
})
