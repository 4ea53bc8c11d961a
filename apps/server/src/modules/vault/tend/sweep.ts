import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { VaultDriver } from '../drivers/vault-driver.ts'
import { removeOldLocks, removeOne, requestRemovals } from '../records/file-removal.ts'
import { deleteEndedGrants } from '../records/grant-store.ts'
import { endLapsed, type LapsedRule } from '../records/unfinished.ts'
import { knownUploads } from '../records/usage-store.ts'
import { vaultLease } from './lease.ts'

export interface SweepDeps {
  db: Db
  clock: Clock
  driver: VaultDriver
  /** Bytes of trash that an account may have besides its quota; null: any amount. */
  readQuota(owner: string): Promise<number | null>
  own?: LapsedRule['own']
}

const hourMs = 3600_000
/** Design: bytes go 14 days after the mark. */
const trashMs = 14 * 24 * hourMs
/** However crowded the trash is, an undo is possible for so long, ms. */
const crowdedMs = 24 * hourMs
/** restic makes its lock anew every five minutes and ignores others' after half an hour, ms. */
const lockMs = 2 * hourMs
/** Files a sweep: the next one goes on. */
const mostFiles = 10_000

export interface Swept {
  grants: number
  uploads: number
  leftovers: number
  locks: number
  removed: number
}

/** Removes what is over: grants, uploads of processes that died, old locks, and trash whose time is up. */
export async function sweepVault(
  { db, clock, driver, readQuota, own }: SweepDeps,
  signal?: AbortSignal,
): Promise<Swept> {
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const grants = await deleteEndedGrants(db, now)
  const uploads = await endLapsed(db, driver, { leaseKind: vaultLease.kind, silentMs: vaultLease.silentMs, own, now })
  const leftovers = await driver.removeUploads((ids) => knownUploads(db, ids))
  const locks = await removeOldLocks(db, driver, { before: before(lockMs), now })
  await requestRemovals(db, {
    before: before(trashMs),
    crowdedBefore: before(crowdedMs),
    allowed: readQuota,
    now,
    limit: mostFiles,
  })
  let removed = 0
  while (!signal?.aborted && removed < mostFiles && (await removeOne(db, driver))) removed += 1
  return { grants, uploads, leftovers, locks, removed }
}
