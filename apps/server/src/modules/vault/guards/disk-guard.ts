import type { RoomRule } from '../records/room-store.ts'
import type { VaultDriver } from '../vault-driver.ts'

/** The part of a disk that is kept free, and the least number of bytes (design: vault). */
const keptPart = 0.05
const keptBytes = 2 * 2 ** 30
/** Of that a prune, which frees more than it writes, leaves so much, bytes. */
const keptOfPrune = 2 ** 29

/** Keeps the disk from being filled: what is on its way through this process counts as being there. */
export interface DiskGuard {
  /** Room for an upload, until it is disposed of. `isReserve`: it goes into what is kept free of the disk. */
  take(bytes: number, needs: RoomRule['needs']): Promise<AsyncDisposable & { fits: boolean; isReserve: boolean }>
  /** Bytes that may still come, less than nothing when the disk is too full; null: no end. */
  left(): Promise<number | null>
}

export function createDiskGuard(driver: Pick<VaultDriver, 'space'>): DiskGuard {
  let onTheirWay = 0
  async function measure(): Promise<{ left: number; leftToPrune: number } | null> {
    const space = await driver.space()
    if (!space) return null
    const free = space.free - onTheirWay
    return { left: free - Math.max(space.total * keptPart, keptBytes), leftToPrune: free - keptOfPrune }
  }
  return {
    left: async () => (await measure())?.left ?? null,
    async take(bytes, needs) {
      const room = await measure()
      const isReserve = room !== null && bytes > room.left
      const fits = !isReserve || needs === 'none' || (needs === 'prune' && bytes <= room.leftToPrune)
      const taken = fits ? bytes : 0
      onTheirWay += taken
      return {
        fits,
        isReserve,
        async [Symbol.asyncDispose]() {
          onTheirWay -= taken
        },
      }
    },
  }
}
