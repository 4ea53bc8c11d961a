/** Folders with more entries than a page. */
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DriveOrder } from '@atoll/contract/personal-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestFolder } from '../testing/seeded-home.ts'
import { listedAtOnce, listFolder } from './drive-list.ts'

const files = listedAtOnce + 2
let folder: Awaited<ReturnType<typeof createTestFolder>>
beforeAll(async () => {
  folder = await createTestFolder()
  for (const name of ['a folder', 'z folder']) await mkdir(join(folder.path, name))
  const names = Array.from({ length: files }, (_, at) => `photo ${at + 1}`)
  await Promise.all(names.map((name) => writeFile(join(folder.path, name), '')))
  // The last by name is the largest and the newest.
  await writeFile(join(folder.path, `photo ${files}`), 'large')
  await utimes(join(folder.path, `photo ${files}`), 4e9, 4e9)
})
afterAll(() => folder[Symbol.asyncDispose]())

async function page(offset: number, order: DriveOrder) {
  const listing = await listFolder(folder.path, { offset, ...order })
  return { ...listing, names: listing.entries.map(({ name }) => name) }
}

const orders: [string, DriveOrder, string, string][] = [
  ['name', { by: 'name', descending: false }, 'a folder', `photo ${files}`],
  ['name, backwards,', { by: 'name', descending: true }, 'z folder', 'photo 1'],
  ['size', { by: 'size', descending: false }, 'a folder', `photo ${files}`],
  ['size, backwards,', { by: 'size', descending: true }, 'a folder', `photo ${files - 1}`],
  ['time', { by: 'modified', descending: false }, 'a folder', `photo ${files}`],
]

test.each(orders)('by %s everything is on one page', async (_, order, first, last) => {
  const [one, two] = [await page(0, order), await page(listedAtOnce, order)]
  expect([one.names.length, two.names.length, one.total, two.offset]).toEqual([
    listedAtOnce,
    4,
    files + 2,
    listedAtOnce,
  ])
  expect(new Set([...one.names, ...two.names]).size).toBe(files + 2)
  expect(one.names.slice(0, 2).toSorted()).toEqual(['a folder', 'z folder'])
  if (order.by !== 'modified') expect(one.names[0]).toBe(first)
  expect(two.names.at(-1)).toBe(last)
})

test('the newest and the largest of the whole folder come first where they are asked for first', async () => {
  for (const by of ['size', 'modified'] as const)
    expect((await page(0, { by, descending: true })).names[2]).toBe(`photo ${files}`)
})

test('a page beyond the end, of which everything was removed meanwhile, is the last one', async () => {
  const last = await page(listedAtOnce * 3, { by: 'name', descending: false })
  expect([last.offset, last.names.length]).toEqual([listedAtOnce, 4])
})
