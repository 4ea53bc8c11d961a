import { lstat, readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupProgress } from '@atoll/contract/agents'
import { hasErrorCode } from '../home/atomic-file.ts'

const slash = Buffer.from('/')
/** Walking a large tree costs: a restic that does not say how far it is gets measured no more often than this, ms. */
const measureMs = 2000

/**
 * Files below `path`, or the file itself, and their bytes. Names may be any bytes; links are neither followed nor
 * counted.
 */
export async function measureTree(path: string | Buffer): Promise<{ files: number; bytes: number }> {
  const sum = { files: 0, bytes: 0 }
  try {
    const stats = await lstat(path)
    if (stats.isFile()) return { files: 1, bytes: stats.size }
    if (!stats.isDirectory()) return sum
    for (const name of await readdir(path, { encoding: 'buffer' })) {
      const { files, bytes } = await measureTree(Buffer.concat([Buffer.from(path), slash, name]))
      sum.files += files
      sum.bytes += bytes
    }
  } catch (error) {
    // Removed while we walked.
    if (!hasErrorCode(error, 'ENOENT')) throw error
  }
  return sum
}

/** For a restic that says nothing: how much of what it restores is on the disk, until `over`. */
export async function measureUntil(
  over: AbortSignal,
  fresh: string,
  bytesTotal: number,
  say: (value: Omit<BackupProgress, 'bytesPerSecond'>) => void,
): Promise<void> {
  while (!over.aborted) {
    const { files, bytes } = await measureTree(fresh)
    say({ filesDone: files, filesTotal: 0, bytesDone: bytes, bytesTotal, secondsLeft: null })
    await sleep(measureMs, undefined, { signal: over }).catch(() => undefined) // over: the loop ends
  }
}
