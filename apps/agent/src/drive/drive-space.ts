/** How much the drive holds and may still take. */
import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../home/atomic-file.ts'

/** Never given to uploads, so that the agent can still write its own state on a disk that is full to the owner. Bytes */
const reserveBytes = 16 * 1024 * 1024

export interface DriveSpace {
  /** Bytes of all files; walks the tree once, then is kept up by `add`. */
  usedBytes(): Promise<number>
  /** Bytes that may still be written, running uploads taken off; never negative. */
  freeBytes(): Promise<number>
  /**
   * Files grew by `bytes` (negative: shrank). The first walk must be over before the files change, else it would see
   * the change too: await `usedBytes` first.
   */
  add(bytes: number): void
  /** Takes `bytes` off the free space until `release`: an upload that was accepted and is not on the disk yet. */
  reserve(bytes: number): { written(bytes: number): void; release(): void }
}

/** Space of the folder `root`, of which at most `quotaBytes` may be used when given. */
export function createDriveSpace(root: string, quotaBytes: number | undefined): DriveSpace {
  let used: Promise<number> | undefined
  let reserved = 0

  async function usedBytes(): Promise<number> {
    used ??= sizeOfTree(root)
    return await used
  }

  return {
    usedBytes,
    async freeBytes() {
      const { bavail, bsize } = await statfs(root)
      const onDisk = bavail * bsize - reserveBytes
      const inQuota = quotaBytes === undefined ? Number.POSITIVE_INFINITY : quotaBytes - (await usedBytes())
      return Math.max(0, Math.min(onDisk, inQuota) - reserved)
    },
    add(bytes) {
      used = usedBytes().then((value) => value + bytes)
    },
    reserve(bytes) {
      let left = bytes
      reserved += left
      const shrink = (by: number) => {
        const taken = Math.min(left, by)
        left -= taken
        reserved -= taken
      }
      return { written: shrink, release: () => shrink(left) }
    },
  }
}

/** Bytes of all files below `path`, or of the file; 0 when it is gone. Links are not followed. */
export async function sizeOfTree(path: string): Promise<number> {
  try {
    const stats = await lstat(path)
    if (!stats.isDirectory()) return stats.size
    let sum = 0
    for (const name of await readdir(path)) sum += await sizeOfTree(join(path, name))
    return sum
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 0 // removed while we walked
    throw error
  }
}
