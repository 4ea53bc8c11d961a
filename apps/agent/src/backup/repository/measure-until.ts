import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupProgress } from '@atoll/contract/agents'
import { measureTree } from '../../drive/drive-space.ts'

/** Walking a large tree costs: a restic that does not say how far it is gets measured no more often than this, ms. */
const measureMs = 2000

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
