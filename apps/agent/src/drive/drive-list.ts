/** A folder of the drive, a page at a time. Links are not shown. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DriveEntry, DriveListing, DriveOrder } from '@atoll/contract/personal-server'
import { entryOf, findLooked, findStats, type Looked } from './drive-entry.ts'

export interface ListPage extends DriveOrder {
  /** How many entries come before the page. */
  offset: number
}

/** Entries of a page; also how many files are looked at side by side. */
export const listedAtOnce = 5000

const lookedAtOnce = 500

const firstByName: ListPage = { offset: 0, by: 'name', descending: false }
/** `2` comes before `10`, case aside. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** A page of what is in the folder at `place`: folders first, in the order asked for; what is alike in it, by name. */
export async function listFolder(
  place: string,
  { offset, by, descending }: ListPage = firstByName,
): Promise<Pick<DriveListing, 'entries' | 'offset' | 'total'>> {
  const found = (await readdir(place, { withFileTypes: true })).filter((item) => item.isFile() || item.isDirectory())
  const direction = descending ? -1 : 1
  if (by === 'name') {
    // Only of those on the page more is asked than their names.
    found.sort((a, b) => foldersFirst(a.isDirectory(), b.isDirectory()) || direction * names.compare(a.name, b.name))
    const start = startOf(offset, found.length)
    const entries = await readEntries(place, found.slice(start, start + listedAtOnce))
    return { entries, offset: start, total: found.length }
  }
  const all: DriveEntry[] = []
  for (let at = 0; at < found.length; at += listedAtOnce)
    all.push(...(await readEntries(place, found.slice(at, at + listedAtOnce))))
  const compare = comparators[by]
  all.sort(
    (a, b) =>
      foldersFirst(a.kind === 'folder', b.kind === 'folder') ||
      direction * compare(a, b) ||
      names.compare(a.name, b.name),
  )
  const start = startOf(offset, all.length)
  return { entries: all.slice(start, start + listedAtOnce), offset: start, total: all.length }
}

/** Everything in the folder at `place`, some at a time and in no order. */
export async function* lookInto(place: string): AsyncGenerator<Looked[]> {
  const found = await readdir(place)
  for (let at = 0; at < found.length; at += lookedAtOnce) {
    const looked = await Promise.all(
      found.slice(at, at + lookedAtOnce).map((name) => findLooked(join(place, name), name)),
    )
    yield looked.filter((one) => one !== undefined)
  }
}

/** That of the last page where the folder has become smaller than `offset`. */
function startOf(offset: number, total: number): number {
  return offset < total ? offset : Math.max(0, Math.ceil(total / listedAtOnce) - 1) * listedAtOnce
}

const comparators = {
  size: (a: DriveEntry, b: DriveEntry) => a.size - b.size,
  // ISO 8601 in UTC sorts as text.
  modified: (a: DriveEntry, b: DriveEntry) => Number(a.modifiedAt > b.modifiedAt) - Number(a.modifiedAt < b.modifiedAt),
}

function foldersFirst(aIsFolder: boolean, bIsFolder: boolean): number {
  return Number(bIsFolder) - Number(aIsFolder)
}

/** Without what was removed meanwhile. */
async function readEntries(place: string, items: readonly Dirent[]): Promise<DriveEntry[]> {
  const stats = await Promise.all(items.map((item) => findStats(join(place, item.name))))
  return stats.flatMap((one, at) => (one ? [entryOf(items[at]?.name ?? '', one)] : []))
}
