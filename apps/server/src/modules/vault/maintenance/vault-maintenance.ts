/**
 * Work of every vault besides answering requests, in its own process because the files are there:
 *   claim   at once, each minute before the sweep, and while anything waits for it: whether these are the files that
 *           the rows are of
 *   lease   every 10 s; a vault that was silent for a minute has lost its reservations
 *   strays  once a day (vault-strays.ts)
 *   sweep   every minute; then the files beside repositories whose plan was changed
 *   scrub   all the time, at 20 MB/s, and reads again after a minute when nothing is due
 *
 * Many vaults share the work by rows that they lock or take off a list; each part is safe to repeat.
 */
import {
  type ClaimProblem,
  describePause,
  findDoubt,
  raiseDoubt,
  renewClaim,
  settleDoubt,
} from '../../../platform/careful/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { getDeployment } from '../../../platform/facts/index.ts'
import { reclaimLease, releaseLease, renewLeases } from '../../../platform/leases/index.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker } from '../../../platform/ticker.ts'
import { hasFiles } from '../records/file-store.ts'
import { vaultLease } from './lease.ts'
import { type PlanFileDeps, writePlanFiles } from './plan-files.ts'
import { type ScrubDeps, scrubBatch } from './scrub.ts'
import { type SweepDeps, sweepVault } from './sweep.ts'
import { maintainVaultStrays, type VaultStrayDeps } from './vault-strays.ts'

export interface MaintenanceDeps extends SweepDeps, ScrubDeps, PlanFileDeps, VaultStrayDeps {
  db: Db
  log: Log
  driver: SweepDeps['driver']
  holder: string
  beforeSweep?: () => Promise<void>
  /** Ids of what this process receives now. */
  uploads: ReadonlySet<string>
}

export interface Maintenance {
  stop(): Promise<void>
}

const minuteMs = 60_000

/** Resolves once the lease is held: from then on room may be reserved. */
export async function startMaintenance(deps: MaintenanceDeps): Promise<Maintenance> {
  const { db, log, holder } = deps
  const lease = { kind: vaultLease.kind, name: holder, holder }
  const stopping = new AbortController()
  const { signal } = stopping
  await reclaimLease(db, lease)
  let isThere = false
  async function look(): Promise<ClaimProblem | undefined> {
    let isSure = false
    try {
      const problem = await claim(deps)
      isSure = problem !== 'missing'
      return problem
    } finally {
      isThere = isSure
    }
  }
  // A disk or bucket that is away keeps nobody from starting: it is asked again.
  const looking = look().catch((error: unknown) => log.error({ err: error }, "failed: looking for the vault's claim"))
  const renewing = startTicker(vaultLease.renewMs, log, "renewing the vault's lease", async () => {
    const held = await renewLeases(db, lease.kind, [holder])
    if (held.length === 0) await reclaimLease(db, lease)
    if (await findDoubt(db, 'vault')) await look()
  })
  const sweeping = startTicker(minuteMs, log, 'sweeping the vault', async () => {
    await deps.beforeSweep?.()
    const problem = await look()
    // It is listed while this database may be behind, too.
    if (problem !== 'stranger') await maintainVaultStrays(deps, signal)
    if (problem) return
    const swept = { ...(await sweepVault({ ...deps, own: deps }, signal)), planFiles: await writePlanFiles(deps) }
    if (Object.values(swept).some((count) => count > 0)) log.info(swept, 'the vault was swept')
  })
  const scrubbing = startTicker(minuteMs, log, 'reading stored files again', async () => {
    // On another disk in its place no file is, and none is damaged.
    if (!isThere) await look()
    while (isThere && !signal.aborted && (await scrubBatch(deps, { signal })) > 0);
  })
  return {
    async stop() {
      stopping.abort()
      await looking
      await Promise.all([sweeping.stop(), scrubbing.stop()])
      await renewing.stop()
      await db.transaction().execute((trx) => releaseLease(trx, lease))
    },
  }
}

/** Why this database does not know all that is in the vault; undefined: it does. */
async function claim({ db, clock, driver, log }: MaintenanceDeps): Promise<ClaimProblem | undefined> {
  const [now, place] = [clock.now(), 'vault']
  const deployment = await getDeployment(db)
  const claiming = { place, claims: driver.claims, deployment, now, isUsed: () => hasFiles(db) }
  let problem: ClaimProblem | undefined
  try {
    problem = await renewClaim(db, claiming)
  } catch (error) {
    // Its disk may not be mounted, or its bucket may be unreachable: all work that depends on the files waits.
    await raiseDoubt(db, 'vault', `it cannot be read: ${error instanceof Error ? error.message : String(error)}`, now)
    throw error
  }
  if (problem === 'missing') await raiseDoubt(db, 'vault', describePause({ place, problem }), now)
  if (problem) log.error({ problem }, describePause({ place, problem }))
  else await settleDoubt(db, 'vault', now)
  return problem
}
