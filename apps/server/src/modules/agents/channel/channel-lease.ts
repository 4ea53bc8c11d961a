/**
 * Whether agents can report at all: each process that serves their channel holds a lease while it runs, and releases
 * it as it stops. Without one, silence says nothing about agents.
 */
import { randomToken } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { expireLeases, isAnyHeld, reclaimLease, releaseLease, renewLeases } from '../../../platform/leases/index.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker, type Ticker } from '../../../platform/ticker.ts'

const kind = 'agent-hearing'
const renewEveryMs = 3000
/** A lease that its process has not renewed for so long is of one that died. ms */
const silentMs = 10_000

export async function startChannelLease({ db, log }: { db: Db; log: Log }): Promise<Ticker> {
  const holder = randomToken(12)
  const lease = { kind, name: holder, holder }
  const inTrx = db.transaction()
  await reclaimLease(db, lease)
  const renewing = startTicker(renewEveryMs, log, 'renewing the lease on the agent channel', async () => {
    if ((await renewLeases(db, kind, [holder])).length === 0) await reclaimLease(db, lease)
    await inTrx.execute((trx) => expireLeases(trx, kind, { silentMs, limit: 10 }))
  })
  return {
    async stop() {
      await renewing.stop()
      await inTrx.execute((trx) => releaseLease(trx, lease))
    },
  }
}

/** Whether a process runs that agents can report to; the database's clock decides. */
export async function isChannelServed(db: Db): Promise<boolean> {
  return await isAnyHeld(db, kind, silentMs)
}
