/**
 * Limits of a file's size and of the number of files of its type per grant, and whether a file needs room. A machine
 * that was taken over has its grants, too: one small file more than a task needs can make a repository unreadable.
 */
import type { Granted } from '../records/grant-store.ts'
import type { RoomRule } from '../records/room-store.ts'
import type { FileType } from '../vault-tables.ts'

/** restic's `config` has 155 bytes, a key about 450, a lock up to 300. */
const smallBytes = 1024

/**
 * The longest file of each type, bytes. restic's packs have 16 MiB, 128 at most; an index names up to 150 000 blobs.
 */
export const longestFile: Readonly<Record<FileType, number>> = {
  config: smallBytes,
  keys: smallBytes,
  locks: smallBytes,
  snapshots: 2 ** 20,
  index: 64 * 2 ** 20,
  data: 256 * 2 ** 20,
}

/**
 * The maximum number of files that one grant may store: of locks, at a time. A run of a day writes an index every ten
 * minutes. Only one snapshot stays (`takesPlace`); its limit allows a run that was killed before it could report to be
 * repeated that often.
 */
const mostFiles: Readonly<Partial<Record<FileType, number>>> = { keys: 1, locks: 8, snapshots: 20, index: 2000 }

/** Whether the newest file of this type that a grant brings takes the place of those that it brought before. */
export function takesPlace(type: FileType): boolean {
  return type === 'snapshots'
}

/** The rule for a file of this type under this grant, except for the disk. */
export function roomRule(
  type: FileType,
  { right, deletes }: Pick<Granted, 'right' | 'deletes'>,
): Omit<RoomRule, 'isReserve'> {
  const most = mostFiles[type]
  const limit = most === undefined ? {} : { most }
  if (type === 'locks') return { needs: 'none', ...limit }
  // Changing a password that is known to others never waits for room: the new key comes before the old one goes.
  if (type === 'keys')
    return deletes.key === null ? { needs: 'quota', isOnly: true, ...limit } : { needs: 'none', ...limit }
  return { needs: right === 'prune' ? 'prune' : 'quota', ...limit }
}
