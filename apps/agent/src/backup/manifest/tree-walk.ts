/**
 * Every entry of a tree, as `lstat` reports it. Names may be any bytes. Quick calls are made synchronously, a few
 * milliseconds at a time: waiting for each answer in turn would take ten times as long as the answers do.
 */
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasErrorCode } from '../../kernel/atomic-file.ts'

/** The path for system calls: they take text as UTF-8, so a name that is not ASCII goes as its bytes. */
export type Place = string | Buffer

export interface Entry {
  /** From the root; its bytes as latin1, as is `root` below. */
  path: string
  place: Place
  stats: BigIntStats
}

/** So many are read before anybody else gets a turn. */
const batchEntries = 32

/** Entries in no order, a few at a time: a step of a generator for each would take as long as what is done with it. */
export function* walk(root: string, places: readonly string[]): Generator<Entry[]> {
  const from = latin1(`${root}/`)
  const folders: string[] = []
  let batch: Entry[] = []
  const visit = (path: string) => {
    const entry = readEntry(from, path)
    if (!entry) return
    batch.push(entry)
    if (entry.stats.isDirectory()) folders.push(path)
  }
  for (const place of places) {
    if (place === '.') folders.push('')
    else visit(latin1(place))
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const under = folder === '' ? '' : `${folder}/`
    for (const name of namesIn(from + folder)) {
      visit(under + name)
      if (batch.length < batchEntries) continue
      yield batch
      batch = []
    }
  }
  yield batch
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1')

function placeOf(path: string): Place {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
  return /^[\x00-\x7f]*$/.test(path) ? path : Buffer.from(path, 'latin1')
}

function readEntry(root: string, path: string): Entry | undefined {
  const place = placeOf(root + path)
  try {
    const stats = lstatSync(place, { bigint: true })
    return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink() ? { path, place, stats } : undefined
  } catch (error) {
    // Removed while we walked, or in a folder that may be listed and not entered.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(placeOf(path), { encoding: 'latin1' })
  } catch (error) {
    // Restic cannot read its entries either.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return []
    throw error
  }
}

/** The longest time that other work of the agent waits, ms. */
const holdMs = 5

/** To be awaited between two entries: lets others go first when it is their turn. */
export function createBreath(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < holdMs) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}
