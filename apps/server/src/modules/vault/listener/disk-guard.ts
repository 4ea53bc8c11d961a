import type { VaultDriver } from '../drivers/vault-driver.ts'

/** What is never filled of a disk: this part of it, and at least so many bytes (design: vault). */
const keptPart = 0.05
const keptBytes = 2 * 2 ** 30

/** Keeps the disk from being filled: what is on its way through this process counts as being there. */
export interface DiskGuard {
  /** Room for an upload, until it is disposed of. */
  take(bytes: number): Promise<AsyncDisposable & { fits: boolean }>
  /** Bytes that may still come, less than nothing when the disk is too full; null: no end. */
  left(): Promise<number | null>
}

export function createDiskGuard(driver: Pick<VaultDriver, 'space'>): DiskGuard {
  let onTheirWay = 0
  async function left(): Promise<number | null> {
    const space = await driver.space()
    return space && space.free - onTheirWay - Math.max(space.total * keptPart, keptBytes)
  }
  return {
    left,
    async take(bytes) {
      const room = await left()
      const fits = room === null || bytes <= room
      const taken = fits ? bytes : 0
      onTheirWay += taken
      return {
        fits,
        async [Symbol.asyncDispose]() {
          onTheirWay -= taken
        },
      }
    },
  }
}
