import type { Db } from '../../../platform/db/index.ts'
import { pruneExtraBytes } from '../records/room-store.ts'
import { usageOf } from '../records/usage-store.ts'
import { findReserve } from './reserve.ts'

/** Of the room that it has, what it moves takes this part: the index that it writes besides needs the rest. */
const movedPart = 0.75
/** What it moves at the disk's reserve, of which 512 MiB are left in any case, bytes. */
const reserveBytes = 2 ** 28

/**
 * How many bytes a prune of this account may move, so that it ends within the room it has: what it only deletes, it
 * deletes first of all. Undefined: whatever it finds.
 */
export async function findPruneRoom(
  { db, quotaOf }: { db: Db; quotaOf(owner: string): Promise<number | null> },
  owner: string,
): Promise<number | undefined> {
  if ((await findReserve(db)) !== undefined) return reserveBytes
  const quota = await quotaOf(owner)
  if (quota === null) return undefined
  const { liveBytes, reservedBytes, trashBytes } = await usageOf(db, { accountId: owner })
  const left = quota - liveBytes - reservedBytes - Math.max(trashBytes - quota, 0)
  return Math.floor(Math.max(left, pruneExtraBytes) * movedPart)
}
