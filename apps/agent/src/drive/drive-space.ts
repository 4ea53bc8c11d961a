/** How much the drive holds and may still take. */
import { lstat, mkdir, readdir, statfs } from 'node:fs/promises'
import { hasErrorCode } from '../kernel/atomic-file.ts'

/**
 * Never given to uploads, so that the agent can still write its own state on a disk that is full to the owner. Bytes
 */
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
  /** For one upload: what it may take, so that uploads at the same time do not promise the same room to each. */
  openClaim(): Claim
}

export interface Claim {
  /**
   * Takes `bytes` more of what is free; false when there is not so much. `freed`: bytes of claims that end for it,
   * which are then released.
   */
  take(bytes: number, freed?: () => number): Promise<boolean>
  /** For an upload from before a restart: takes `bytes` again, also when less is free; `written` are on the disk. */
  hold(bytes: number, written: number): void
  /** `bytes` of what was taken are on the disk now; negative: no longer. */
  written(bytes: number): void
  /** The upload is over; its file, if it became one, is counted by `add`. */
  release(): void
}

/** Space of the folder `root`, of which at most `quotaBytes` may be used when given. */
export function createDriveSpace(root: string, quotaBytes: number | undefined): DriveSpace {
  let used: Promise<number> | undefined
  /**
   * Taken by uploads under way. The disk shows what they have written; the quota counts it only when they are over.
   */
  const claimed = { unwritten: 0, uncounted: 0 }

  async function usedBytes(): Promise<number> {
    used ??= measureTree(root)
      .then(({ bytes }) => bytes)
      .catch((error: unknown) => {
        used = undefined // whoever asks next walks again
        throw error
      })
    return await used
  }

  /** Negative: more is taken than there is. */
  async function roomBytes(): Promise<number> {
    // A drive that was lost with its folder is what a backup is brought back into.
    await mkdir(root, { recursive: true, mode: 0o700 })
    const [{ bavail, bsize }, usedNow] = await Promise.all([statfs(root), quotaBytes === undefined ? 0 : usedBytes()])
    const onDisk = bavail * bsize - reserveBytes - claimed.unwritten
    const inQuota = (quotaBytes ?? Number.POSITIVE_INFINITY) - usedNow - claimed.uncounted
    return Math.min(onDisk, inQuota)
  }

  const freeBytes = async () => Math.max(0, await roomBytes())

  function openClaim(): Claim {
    const own = { unwritten: 0, uncounted: 0 }
    const change = (name: 'unwritten' | 'uncounted', by: number) => {
      own[name] += by
      claimed[name] += by
    }
    return {
      async take(bytes, freed = () => 0) {
        // Nothing awaits between the figure and the claim, so no two uploads are promised the same room.
        if (bytes > Math.max(0, (await roomBytes()) + freed())) return false
        change('unwritten', bytes)
        change('uncounted', bytes)
        return true
      },
      hold(bytes, written) {
        change('unwritten', bytes - written)
        change('uncounted', bytes)
      },
      written: (bytes) => change('unwritten', -Math.min(bytes, own.unwritten)),
      release() {
        change('unwritten', -own.unwritten)
        change('uncounted', -own.uncounted)
      },
    }
  }

  return {
    usedBytes,
    freeBytes,
    openClaim,
    add(bytes) {
      used = usedBytes().then((value) => value + bytes)
    },
  }
}

const slash = Buffer.from('/')

/**
 * Files below `path`, or the file itself, and their bytes; none when it is gone. Links are neither followed nor
 * counted, names are any bytes. Of a folder that may not be read only what was read is counted.
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
    // Removed while we walked, or shut by its owner: one such folder must not stop everything else that asks.
    if (!hasErrorCode(error, 'ENOENT', 'EACCES', 'EPERM')) throw error
  }
  return sum
}
