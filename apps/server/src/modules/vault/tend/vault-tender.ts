/**
 * What every vault does besides answering, in its own process because the files are there:
 *   lease   every 10 s; one that was silent for a minute has lost its reservations
 *   sweep   every minute
 *   scrub   all the time, at 20 MB/s, and reads again after a minute when nothing is due
 * Many vaults share the work by rows that they lock or take off a list; each part is safe to repeat.
 */
import type { Db } from '../../../platform/db/index.ts'
import { reclaimLease, releaseLease, renewLeases } from '../../../platform/leases/index.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker } from '../../../platform/ticker.ts'
import { vaultLease } from './lease.ts'
import { type ScrubDeps, scrubBatch } from './scrub.ts'
import { type SweepDeps, sweepVault } from './sweep.ts'

export interface TenderDeps extends SweepDeps, ScrubDeps {
  db: Db
  log: Log
  driver: SweepDeps['driver']
  holder: string
  /** Ids of what this process receives now. */
  uploads: ReadonlySet<string>
}

export interface Tender {
  stop(): Promise<void>
}

const minuteMs = 60_000

/** Resolves once the lease is held: from then on room may be reserved. */
export async function startTender(deps: TenderDeps): Promise<Tender> {
  const { db, log, holder } = deps
  const lease = { kind: vaultLease.kind, name: holder, holder }
  const stopping = new AbortController()
  const { signal } = stopping
  await reclaimLease(db, lease)
  const renewing = startTicker(vaultLease.renewMs, log, "renewing the vault's lease", async () => {
    const held = await renewLeases(db, lease.kind, [holder])
    if (held.length === 0) await reclaimLease(db, lease)
  })
  const sweeping = startTicker(minuteMs, log, 'sweeping the vault', async () => {
    const swept = await sweepVault({ ...deps, own: deps }, signal)
    if (Object.values(swept).some((count) => count > 0)) log.info(swept, 'the vault was swept')
  })
  const scrubbing = startTicker(minuteMs, log, 'reading stored files again', async () => {
    while (!signal.aborted && (await scrubBatch(deps, { signal })) > 0);
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all([sweeping.stop(), scrubbing.stop()])
      await renewing.stop()
      await db.transaction().execute((trx) => releaseLease(trx, lease))
    },
  }
}
