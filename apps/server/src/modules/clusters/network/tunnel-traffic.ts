import type { Trx } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import type { ClusterDeps, TunnelBytes } from '../cluster-deps.ts'
import { ingressOf } from './public-address.ts'

/**
 * Job cluster.tunnel-traffic: each minute, adds to the traffic of self-hosted clusters what their instances counted
 * and our edge did not see. Taking and adding are one transaction, so it may run twice or be killed anywhere.
 */
export function tunnelTraffic(deps: ClusterDeps): Job {
  return defineTimedJob({
    name: 'cluster.tunnel-traffic',
    lane: 'own',
    waits: 'never',
    cron: '* * * * *',
    async run() {
      await deps.db.transaction().execute((trx) => countTunnels(deps, trx))
    },
  })
}

async function countTunnels(
  { clock, config, observe, addTraffic }: Pick<ClusterDeps, 'clock' | 'config' | 'observe' | 'addTraffic'>,
  trx: Trx,
): Promise<void> {
  const masters = await trx
    .selectFrom('clusters')
    .innerJoin('instances', 'instances.cluster_id', 'clusters.id')
    .select([
      'clusters.id as clusterId',
      'clusters.cluster_type',
      'clusters.reverse_proxy',
      'instances.id as instanceId',
    ])
    .where('clusters.cluster_type', '=', 'SelfHost')
    .where('clusters.reverse_proxy', '<>', 'none')
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
    .where('instances.role', '=', 'master')
    .execute()
  const tunnelled = masters.filter((master) => {
    const ingress = ingressOf(config, master)
    return ingress === 'frps' || ingress === 'cloudflare'
  })
  const taken = await observe.takeTraffic(
    trx,
    tunnelled.map(({ instanceId }) => instanceId),
  )
  const bytes = taken.flatMap(({ instanceId, ...moved }): TunnelBytes[] => {
    const master = tunnelled.find((candidate) => candidate.instanceId === instanceId)
    if (!master) return []
    const kind = master.reverse_proxy === 'cloudflare' ? 'CloudflareNetwork' : 'FrpNetwork'
    return [{ clusterId: master.clusterId, kind, ...moved }]
  })
  if (bytes.length > 0) await addTraffic(trx, clock.now(), bytes)
}
