/**
 * Folders of snapshots that were opened, sorted. A snapshot never changes, so entries stay valid; they expire when
 * nobody opened one for a while, and the least recently used goes first when there is too much.
 */
import type { SnapshotEntry } from './ls-output.ts'

/** Some 150 bytes each: 25 MB. */
export const mostEntries = 150_000
/** A person who comes back after lunch waits once more. ms */
const keptMs = 15 * 60_000

export interface SnapshotFolder {
  /** Folders first, then by name as people expect. */
  entries: readonly SnapshotEntry[]
  /** It holds more entries than are kept. */
  truncated: boolean
}

export interface FolderCache {
  /** The value kept as `key`, or else the result of `read`; concurrent callers share one read. */
  get(key: string, read: () => Promise<SnapshotFolder>): Promise<SnapshotFolder>
}

export function createFolderCache(most = mostEntries): FolderCache {
  const kept = new Map<string, { folder: SnapshotFolder; dueEnd: NodeJS.Timeout }>()
  const reading = new Map<string, Promise<SnapshotFolder>>()

  function keep(key: string, folder: SnapshotFolder): void {
    drop(key)
    kept.set(key, { folder, dueEnd: setTimeout(() => drop(key), keptMs).unref() })
    let count = [...kept.values()].reduce((sum, each) => sum + each.folder.entries.length, 0)
    // A map gives its keys in the order they came: the oldest first.
    for (const [each, { folder: old }] of kept) {
      if (count <= most) return
      count -= old.entries.length
      drop(each)
    }
  }
  function drop(key: string): void {
    clearTimeout(kept.get(key)?.dueEnd)
    kept.delete(key)
  }

  return {
    async get(key, read) {
      const known = kept.get(key)
      if (known) {
        keep(key, known.folder)
        return known.folder
      }
      const under = reading.get(key) ?? read().finally(() => reading.delete(key))
      reading.set(key, under)
      const folder = await under
      keep(key, folder)
      return folder
    },
  }
}

/** The order of names that people expect: `2` before `10`, case aside; as in the drive. */
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export function sortEntries(entries: SnapshotEntry[]): SnapshotEntry[] {
  const isFolder = ({ kind }: SnapshotEntry) => Number(kind === 'folder')
  return entries.sort((a, b) => isFolder(b) - isFolder(a) || byName.compare(a.name, b.name))
}
