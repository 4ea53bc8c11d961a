/**
 * Search by name. A drive may hold millions of files and the visitor may be gone before the end: a search ends at the
 * first of its limits, with what it has found. Links are not followed.
 */
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DriveFound, DriveSearch } from '@atoll/contract/personal-server'
import { hasErrorCode } from '../kernel/atomic-file.ts'
import { entryOf, findStats } from './drive-entry.ts'
import { formatDrivePath } from './drive-path.ts'

export interface SearchLimits {
  /** Entries of a page. */
  found: number
  /** Entries whose names are compared. */
  compared: number
  /** ms */
  time: number
}

export const searchLimits: SearchLimits = { found: 500, compared: 200_000, time: 5000 }

export interface SearchOptions {
  /** How many that match come before the page. */
  offset?: number
  /** Ends the search early; the answer is `truncated` then. */
  signal?: AbortSignal
}

interface Search extends SearchOptions {
  /** The folder to search, on the disk. */
  place: string
  /** The same folder on the drive. */
  names: readonly string[]
  query: string
  limits?: SearchLimits
}

/**
 * Whether a name contains every word of `query`, in any order; case and compatible forms of characters do not matter.
 */
export function createNameMatcher(query: string): (name: string) => boolean {
  const words = fold(query).split(/\s+/).filter(Boolean)
  return (name) => {
    const folded = fold(name)
    return words.every((word) => folded.includes(word))
  }
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/**
 * A page of what below the folder has a name that matches; the folders nearest first. `truncated`: a limit of names or
 * time ended the search.
 */
export async function searchFolder({
  place,
  names,
  query,
  offset = 0,
  limits = searchLimits,
  signal,
}: Search): Promise<Omit<DriveSearch, 'path'>> {
  const matches = createNameMatcher(query)
  const end = performance.now() + limits.time
  const entries: DriveFound[] = []
  let [compared, matched] = [0, 0]
  const folders = [{ place, names }]
  // The array grows while it is walked: nearest folders come first.
  for (const folder of folders) {
    for await (const item of readFolder(folder.place)) {
      if (compared >= limits.compared || performance.now() > end || signal?.aborted)
        return { entries, offset, more: false, truncated: true }
      compared += 1
      if (!item.isFile() && !item.isDirectory()) continue
      const found = { place: join(folder.place, item.name), names: [...folder.names, item.name] }
      if (item.isDirectory()) folders.push(found)
      if (!matches(item.name)) continue
      matched += 1
      if (matched <= offset) continue
      if (entries.length >= limits.found) return { entries, offset, more: true, truncated: false }
      const stats = await findStats(found.place)
      if (!stats) continue // removed while we searched
      entries.push({ ...entryOf(item.name, stats), path: formatDrivePath(found.names) })
    }
  }
  return { entries, offset, more: false, truncated: false }
}

async function* readFolder(place: string) {
  try {
    yield* await opendir(place)
  } catch (error) {
    // Removed or replaced while we searched.
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error
  }
}
