import { findDoubt, findHold, findResumedAt } from '../../../platform/careful/index.ts'
import { type RemovalRule, removeOldLocks, removeOne, requestRemovals } from '../records/file-removal.ts'
import { deleteEndedGrants } from '../records/grant-store.ts'
import { crowdedMs, trashMs } from '../records/snapshot-trash.ts'
import { endLapsed, type LapsedRule } from '../records/unfinished.ts'
import { knownUploads } from '../records/usage-store.ts'
import type { VaultDriver } from '../vault-driver.ts'
import { vaultLease } from './lease.ts'
import { makeReserveRoom, type ReserveDeps } from './reserve.ts'

export interface SweepDeps extends ReserveDeps {
  driver: VaultDriver
  /** Quota of the account; it limits the account's trash, too. Null: any amount. */
  readQuota(owner: string): Promise<number | null>
  own?: LapsedRule['own']
}

const hourMs = 3600_000
/** restic refreshes its lock every five minutes and ignores others' after half an hour, ms. */
const lockMs = 2 * hourMs
/** Files a sweep: the next one goes on. */
const mostFiles = 10_000
/** Failed removals a sweep: the store itself may be in trouble. */
const mostFailures = 100

export interface Swept {
  grants: number
  uploads: number
  leftovers: number
  locks: number
  removed: number
}

/**
 * Removes what is over: grants, uploads of processes that died, old locks, and trash whose time is up. Whether that is
 * so is not believed while the deployment is careful or its clock in doubt: then neither trash nor grants go, nor
 * uploads that this database does not know, which may be another's.
 */
export async function sweepVault(deps: SweepDeps, signal?: AbortSignal): Promise<Swept> {
  const { db, clock, log, driver, readQuota, own } = deps
  const isHeld = (await findHold(db, { waits: 'deadline', source: 'vault' })) !== undefined
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const grants = isHeld ? 0 : await deleteEndedGrants(db, now)
  const { kind: leaseKind, silentMs } = vaultLease
  const uploads = await endLapsed(db, driver, { leaseKind, silentMs, own, now, log })
  const leftovers = isHeld ? 0 : await removeLeftovers(deps)
  // One of work that goes on looks old to a clock that jumped. A copy of the database knows none of those to come.
  const isTimeSure = !(await findDoubt(db, 'clock')) && !(await findDoubt(db, 'stop'))
  const locks = !isTimeSure ? 0 : await removeOldLocks(db, driver, { before: before(lockMs), now, log })
  // Nothing was trashed by then that may go after so long.
  const resumedAt = await findResumedAt(db)
  const trashedBy = (ms: number) => (resumedAt && resumedAt > before(ms) ? new Date(0) : before(ms))
  if (!isHeld) await requestRemovals(db, trashRule({ now, trashedBy, readQuota }))
  await makeReserveRoom(deps, isHeld ? undefined : trashedBy(crowdedMs))
  const tried = { removed: 0, failed: 0 }
  while (!signal?.aborted && tried.removed < mostFiles && tried.failed < mostFailures) {
    const end = await removeOne(db, driver, { now, log, isHeld })
    if (end === 'none') break
    tried[end] += 1
  }
  return { grants, uploads, leftovers, locks, removed: tried.removed }
}

/** One that its store does not remove holds up no other one, no locks and no trash. */
async function removeLeftovers({ db, driver, log }: SweepDeps): Promise<number> {
  let failed = 0
  const onFailed = (uploadId: string, error: unknown) => {
    failed += 1
    if (failed > mostFailures) throw error
    log.error({ err: error, uploadId }, 'what is left of an old upload could not be removed')
  }
  try {
    return await driver.removeUploads((ids) => knownUploads(db, ids), onFailed)
  } catch (error) {
    log.error({ err: error }, 'what is left of old uploads could not be removed')
    return 0
  }
}

function trashRule({
  now,
  trashedBy,
  readQuota,
}: { now: Date; trashedBy(ms: number): Date } & Pick<SweepDeps, 'readQuota'>): RemovalRule {
  return { before: trashedBy(trashMs), crowdedBefore: trashedBy(crowdedMs), allowed: readQuota, now, limit: mostFiles }
}
