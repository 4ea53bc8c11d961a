import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { listHostOwners } from '../records/host-store.ts'
import { nameHosts } from './cluster-hosts.ts'

/** Takes hosts away whose cluster has ended; until then nothing is routed there. */
export function hostSweep(deps: DomainDeps): Job {
  const { db } = deps
  return defineTimedJob({
    name: 'domain.hostSweep',
    lane: 'own',
    waits: 'careful',
    cron: '* * * * *',
    async run() {
      const hosts = await listHostOwners(db)
      const living = new Set(
        await deps.clusters.findLiving(
          db,
          hosts.map(({ clusterId }) => clusterId),
        ),
      )
      const owners = new Set(hosts.flatMap(({ owner, clusterId }) => (living.has(clusterId) ? [] : [owner])))
      for (const owner of owners) await db.transaction().execute((trx) => nameHosts(deps, trx, owner))
    },
  })
}
