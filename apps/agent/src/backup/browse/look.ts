/**
 * A snapshot as the console shows it: folders with the sizes of all that is in them, and names found anywhere. Both go
 * through all of it, so each ends at a limit of time, and says so.
 */
import { type LookEntry, type LookPage, type LookQuery, mostLookEntries } from '@atoll/contract/backups'
import { createNameMatcher } from '../../drive/drive-search.ts'
import { HttpProblem } from '../../kernel/problem.ts'
import { isOpen, lossyOf } from '../repository/byte-names.ts'
import type { Repository } from '../repository/repository.ts'
import { BackupProblem } from '../repository/restic-failure.ts'
import type { SnapshotFolder } from './folder-cache.ts'
import { readLsLine, type SnapshotEntry } from './ls-output.ts'
import { bytesOfPath, formatSnapshotPath, parseSnapshotPath, type SnapshotRef } from './snapshot-path.ts'

export type LookAsked = Pick<LookQuery, 'path' | 'find' | 'offset'>

/** Sizes of folders are left out that are not known by then: the names wait for them. ms */
const sizesMs = 5000
/** A search ends then, with what it has. ms */
const searchMs = 15_000
/** A folder that takes longer to measure is too large for an archive. ms */
const measureMs = 60_000
/** Entries found that are kept. */
const mostFound = 1000
/** Folders in a folder whose sizes are kept. */
const mostSized = 10_000
/** Walks that are kept: a snapshot never changes. */
const mostWalks = 20
const partKeptMs = 60_000
const patienceMs = 5000

/** Files in a folder and their bytes. */
interface Total {
  files: number
  bytes: number
}
interface Totals {
  /** By the name of a folder, as restic's JSON has it. */
  of: Map<string, Total>
  isWhole: boolean
}
interface Found {
  hits: Hit[]
  total: number
  isWhole: boolean
}
interface Hit {
  folder: string[]
  entry: SnapshotEntry
}

export interface LooksOptions {
  readFolder(ref: SnapshotRef, names: readonly string[]): Promise<SnapshotFolder>
  withRepository<Result>(ref: SnapshotRef, act: (repository: Repository) => Promise<Result>): Promise<Result>
  inTurn<Result>(act: () => Promise<Result>): Promise<Result>
  /** In place of both limits, ms. */
  walkMs?: number | undefined
}

export function createLooks({ readFolder, withRepository, inTurn, walkMs }: LooksOptions) {
  const keptTotals = new Map<string, Totals>()
  const keptFound = new Map<string, Found>()

  /** All that is below a folder; false: its time was over, or `onEntry` said false, before it was through. */
  async function walk(
    ref: SnapshotRef,
    names: readonly string[],
    mostMs: number,
    onEntry: (path: string, entry: SnapshotEntry) => boolean | undefined,
  ): Promise<boolean> {
    return await inTurn(() =>
      withRepository(ref, async (repository) => {
        const limit = new AbortController()
        const late = new BackupProblem('failed', 'The walk took too long.')
        const dueEnd = setTimeout(() => limit.abort(late), mostMs)
        try {
          await repository.run(['ls', '--json', '--no-lock', '--recursive', ref.snapshotId], {
            patienceMs,
            lastArgs: [bytesOfPath(names)],
            stop: limit.signal,
            onLine(text) {
              const said = readLsLine(text)
              if (said?.line === 'entry' && onEntry(said.path, said.entry) === false) limit.abort(late)
            },
          })
          // The entry at which it was stopped may have been the last one.
          return !limit.signal.aborted
        } catch (error) {
          if (error === late) return false
          throw error
        } finally {
          clearTimeout(dueEnd)
        }
      }),
    )
  }

  async function totalsIn(ref: SnapshotRef, names: readonly string[]): Promise<Totals> {
    const before = names.length === 0 ? '/' : `${lossyOf(formatSnapshotPath(names))}/`
    const of = new Map<string, Total>()
    const isWhole = await walk(ref, names, walkMs ?? sizesMs, (path, { kind, size }) => {
      if (kind !== 'file' || !path.startsWith(before)) return undefined
      const [child = '', inside] = path.slice(before.length).split('/', 2)
      if (inside === undefined || (of.size >= mostSized && !of.has(child))) return undefined
      const total = of.get(child) ?? { files: 0, bytes: 0 }
      of.set(child, { files: total.files + 1, bytes: total.bytes + size })
      return undefined
    })
    return { of, isWhole: isWhole && of.size < mostSized }
  }

  async function search(ref: SnapshotRef, names: readonly string[], find: string): Promise<Found> {
    const matches = createNameMatcher(find)
    const start = lossyOf(formatSnapshotPath(names))
    const mostMs = walkMs ?? searchMs
    const until = performance.now() + mostMs
    const found = new Map<string, SnapshotEntry>()
    let total = 0
    let isWhole = await walk(ref, names, mostMs, (path, entry) => {
      if (path === start || !matches(entry.name)) return undefined
      total += 1
      if (found.size < mostFound) found.set(path, entry)
      return undefined
    })
    isWhole &&= total <= mostFound
    const hits: Hit[] = []
    for (const [path, entry] of found)
      if (!isOpen(path)) hits.push({ folder: path.split('/').slice(1, -1), entry })
      // Each of these takes a restic for each folder above it.
      else if (performance.now() < until) hits.push(...(await resolve(ref, path)))
      else isWhole = false
    return { hits: hits.slice(0, mostFound), total: Math.max(total, hits.length), isWhole }
  }

  /** Every entry that a path of restic's JSON may mean, in which bytes that are no UTF-8 are lost. */
  async function resolve(ref: SnapshotRef, path: string): Promise<Hit[]> {
    const parts = path.split('/').slice(1)
    const last = parts.pop() ?? ''
    let folders: string[][] = [[]]
    const entriesIn = async (names: readonly string[]) => {
      try {
        return (await readFolder(ref, names)).entries
      } catch (error) {
        if (!(error instanceof HttpProblem) || error.code !== 'notFound') throw error
        return []
      }
    }
    for (const part of parts) {
      const inside: string[][] = []
      for (const names of folders)
        if (!isOpen(part)) inside.push([...names, part])
        else for (const { name } of await entriesIn(names)) if (lossyOf(name) === part) inside.push([...names, name])
      folders = inside
    }
    const found = await Promise.all(
      folders.map(async (folder) =>
        (await entriesIn(folder)).filter(({ name }) => lossyOf(name) === last).map((entry) => ({ folder, entry })),
      ),
    )
    return found.flat()
  }

  async function look(ref: SnapshotRef, { path, find, offset }: LookAsked): Promise<LookPage> {
    const names = parseSnapshotPath(path)
    const key = JSON.stringify([ref.backupId, ref.snapshotId, path])
    if (find.trim() === '') {
      const { entries, truncated } = await readFolder(ref, names)
      const totals = entries.some(({ kind }) => kind === 'folder')
        ? await keepIn(keptTotals, key, () => totalsIn(ref, names))
        : { of: new Map<string, Total>(), isWhole: true }
      const page = entries.slice(offset, offset + mostLookEntries).map((entry) => entryOf(entry, totals))
      return { path, find, offset, entries: page, total: entries.length, truncated }
    }
    const { hits, total, isWhole } = await keepIn(keptFound, `${key} ${find}`, () => search(ref, names, find))
    const page = hits
      .slice(offset, offset + mostLookEntries)
      .map(({ folder, entry }) => ({ ...entryOf(entry, undefined), folder: formatSnapshotPath(folder) }))
    return { path, find, offset, entries: page, total, truncated: !isWhole }
  }

  /** Whether a folder was measured and holds at most `most` bytes. */
  async function isAtMost(ref: SnapshotRef, names: readonly string[], most: number): Promise<boolean> {
    let bytes = 0
    return await walk(ref, names, walkMs ?? measureMs, (_, { kind, size }) => {
      if (kind === 'file') bytes += size
      return bytes <= most
    })
  }

  return { look, isAtMost }
}

function entryOf({ name, kind, size, modifiedAt }: SnapshotEntry, totals: Totals | undefined): LookEntry {
  if (kind !== 'folder') return { name, kind, size, files: null, modifiedAt }
  // Two names of any bytes may read alike: their sums would be one.
  const total = totals?.isWhole && !isOpen(name) ? (totals.of.get(name) ?? { files: 0, bytes: 0 }) : undefined
  return { name, kind, size: total?.bytes ?? null, files: total?.files ?? null, modifiedAt }
}

/** A part is kept for as long as its pages are read; later a walk may come further, from restic's own cache. */
async function keepIn<Kept extends { isWhole: boolean }>(
  all: Map<string, Kept>,
  key: string,
  make: () => Promise<Kept>,
): Promise<Kept> {
  const known = all.get(key)
  if (known) return known
  const made = await make()
  all.set(key, made)
  if (!made.isWhole) setTimeout(() => all.delete(key), partKeptMs).unref()
  for (const old of all.keys()) {
    if (all.size <= mostWalks) break
    all.delete(old)
  }
  return made
}
