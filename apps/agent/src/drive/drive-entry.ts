/** The entry at a place of the drive. Links count as nothing. */
import type { BigIntStats, Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { DriveEntry } from '@atoll/contract/personal-server'
import { hasErrorCode } from '../kernel/atomic-file.ts'
import { type FileStamp, stampFile } from './file-stamp.ts'

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

export interface Looked {
  entry: DriveEntry
  stamp: FileStamp
  /** Stays with the file or folder when it is moved. */
  identity: string
}

/** All about what lies at `place`; undefined as `findStats` says. */
export async function findLooked(place: string, name: string): Promise<Looked | undefined> {
  try {
    const stats = await lstat(place, { bigint: true })
    if (!stats.isFile() && !stats.isDirectory()) return undefined
    const identity = `${stats.ino.toString(36)}-${stats.birthtimeNs.toString(36)}`
    return { entry: entryOf(name, stats), stamp: stampFile(stats), identity }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

export function entryOf(name: string, stats: Stats | BigIntStats): DriveEntry {
  const isFile = stats.isFile()
  return {
    name,
    kind: isFile ? 'file' : 'folder',
    size: isFile ? Number(stats.size) : 0,
    modifiedAt: stats.mtime.toISOString(),
  }
}
