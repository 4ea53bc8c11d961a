import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../platform/jobs/index.ts'
import { isLoopback } from '../../platform/network-of.ts'
import { listPresentAddresses } from '../clusters/index.ts'
import { listAllHosts } from '../domains/index.ts'
import { forgetAddresses, notePresent } from './address-store.ts'
import { oneSpelling } from './asked-value.ts'

interface NoteDeps {
  db: Db
  clock: Clock
  config: { edgeDomain: string }
}

/** How long it stays known who had what, ms. */
const keptMs = 90 * 24 * 60 * 60_000

/** Notes each minute which cluster has which host and address, and forgets what is long gone. */
export function addressesNote({ db, clock, config: { edgeDomain } }: NoteDeps): Job {
  return defineTimedJob({
    name: 'abuse.addresses',
    lane: 'own',
    // It notes what is; what it forgets is older than the clock could be wrong by.
    waits: 'deadline',
    cron: '* * * * *',
    async run() {
      const at = clock.now()
      await db.transaction().execute(async (trx) => {
        const [clusters, hosts] = [await listPresentAddresses(trx), await listAllHosts(trx)]
        const owners = new Map(clusters.map(({ clusterId, accountId }) => [clusterId, accountId]))
        const present = [
          ...clusters.flatMap(({ clusterId, accountId, label, addresses }) =>
            [`${label}.${edgeDomain}`, ...addresses.filter((address) => !isLoopback(address))].map((value) => ({
              value: oneSpelling(value.toLowerCase()),
              clusterId,
              accountId,
            })),
          ),
          ...hosts.flatMap(({ host: value, clusterId }) => {
            const accountId = owners.get(clusterId)
            return accountId === undefined ? [] : [{ value, clusterId, accountId }]
          }),
        ]
        await notePresent(trx, present, at)
        await forgetAddresses(trx, new Date(at.getTime() - keptMs))
      })
    },
  })
}
