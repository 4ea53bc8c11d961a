/** By what one content of a file is told from another. */
import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { hasErrorCode } from '../kernel/atomic-file.ts'

export interface FileStamp {
  /** Strong: another content, another tag. With its quotes. */
  etag: string
  modifiedAt: Date
}

/**
 * A client may choose the time of modification, and inode numbers are reused. Only the kernel sets ctime, so the tag
 * includes it.
 */
export function stampFile({ ino, size, mtimeNs, ctimeNs, mtime }: BigIntStats): FileStamp {
  return { etag: `"${[ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join('-')}"`, modifiedAt: mtime }
}

/** Of the file or folder at `place`; undefined where there is neither. */
export async function findStamp(place: string): Promise<FileStamp | undefined> {
  try {
    return stampFile(await lstat(place, { bigint: true }))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
