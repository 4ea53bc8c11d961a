/** The entry at a place of the drive. Links count as nothing. */
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { DriveEntry } from '@atoll/contract/personal-server'
import { hasErrorCode } from '../kernel/atomic-file.ts'

/** The entry at `place` itself; undefined without one, and for one that is neither file nor folder. */
export async function findStats(place: string | Buffer): Promise<Stats | undefined> {
  try {
    const stats = await lstat(place)
    return stats.isFile() || stats.isDirectory() ? stats : undefined
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

export function entryOf(name: string, stats: Stats): DriveEntry {
  const isFile = stats.isFile()
  return {
    name,
    kind: isFile ? 'file' : 'folder',
    size: isFile ? Number(stats.size) : 0,
    modifiedAt: stats.mtime.toISOString(),
  }
}
