/** A file of the drive that is being read. It stays the one that was opened, whatever takes its place meanwhile. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type FileStamp, stampFile } from './file-stamp.ts'

export interface DriveFile extends FileStamp {
  name: string
  size: number
  /** Bytes `start` to `end`, both included. */
  stream(start: number, end: number): Readable
  /** To be called at the end, streamed or not; a second call does nothing. */
  close(): Promise<void>
}

/** Opens the file at `place`, which is no link. */
export async function openDriveFile(place: string, name: string): Promise<DriveFile> {
  const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW)
  const stats = await handle.stat({ bigint: true })
  return {
    ...stampFile(stats),
    name,
    size: Number(stats.size),
    stream: (start, end) => handle.createReadStream({ start, end, highWaterMark: 256 * 1024, autoClose: false }),
    close: () => handle.close(),
  }
}
