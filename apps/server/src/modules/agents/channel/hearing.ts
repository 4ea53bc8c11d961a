/**
 * Whether agents can be heard at all: each process that serves their channel holds a lease while it runs, and gives it
 * back as it stops. Without one, silence says nothing about agents.
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

export async function startHearing({ db, log }: { db: Db; log: Log }): Promise<Ticker> {
  const holder = randomToken(12)
  const lease = { kind, name: holder, holder }
  const inTrx = db.transaction()
  await reclaimLease(db, lease)
  const renewing = startTicker(renewEveryMs, log, 'noting that agents are heard', async () => {
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
export async function hearsAgents(db: Db): Promise<boolean> {
  return await isAnyHeld(db, kind, silentMs)
}
