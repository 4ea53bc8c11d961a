/**
 * Handles a vault's disk that has reached its reserve: backups are refused then, so room is made and the operator is
 * notified. Trash is removed early, the oldest first and never within a day. The state is a fact of the deployment,
 * which every process can read: the vault may be a separate process.
 */
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { findFact, forgetFact, keepFact } from '../../../platform/facts/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { DiskGuard } from '../guards/disk-guard.ts'
import { longestFile } from '../guards/file-rules.ts'
import { requestReserveRemovals } from '../records/file-removal.ts'

const reserveFact = 'vault at reserve'

export interface ReserveDeps {
  db: Db
  clock: Clock
  log: Log
  disk: Pick<DiskGuard, 'left'>
}

/** Room for the longest file must be left, or the disk is at its reserve, bytes. */
const wantedBytes = longestFile.data

/**
 * Requests the removal of trash that was marked by `crowdedBefore` until there is room; absent: of none. Says of how
 * many files.
 */
export async function makeReserveRoom(
  { db, clock, log, disk }: ReserveDeps,
  crowdedBefore: Date | undefined,
): Promise<number> {
  const left = await disk.left()
  if (left === null || left >= wantedBytes) {
    if (await forgetFact(db, reserveFact))
      log.info({ key: 'vault.reserve.over', left }, 'the disk of the vault has room')
    return 0
  }
  const now = clock.now()
  if ((await findFact(db, reserveFact)) === undefined) {
    await keepFact(db, reserveFact, now.toISOString())
    log.error({ key: 'vault.reserve', left }, 'the disk of the vault is full up to its reserve: backups are refused')
  }
  if (!crowdedBefore) return 0
  return await requestReserveRemovals(db, { shortage: wantedBytes - left, crowdedBefore, now })
}

/** Since when the disk of the vault is at its reserve; undefined: it has room. */
export async function findReserve(db: Db): Promise<string | undefined> {
  return await findFact(db, reserveFact)
}
