import type { Db } from '../../../platform/db/index.ts'
import { pruneExtraBytes } from '../records/room-store.ts'
import { usageOf } from '../records/usage-store.ts'
import { findReserve } from './reserve.ts'

/**
 * The part of the available room that may be used for moved data: the index that a prune also writes needs the rest.
 */
const movedPart = 0.75
/** Bytes that it moves when it uses the disk's reserve, of which 512 MiB are left in any case. */
const reserveBytes = 2 ** 28

/**
 * How many bytes a prune of this account may move, so that it finishes within the available room: data that is only
 * deleted is deleted first. Undefined: no limit.
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
