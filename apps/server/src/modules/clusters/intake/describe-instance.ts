import type { Db } from '../../../platform/db/index.ts'
import type { AgentDescription } from '../../agents/index.ts'
import { nameOf } from '../../identity/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { addressColumns, publicUrlOf } from '../network/public-address.ts'
import { proxyOf } from '../network/self-host-proxy.ts'

/** What an agent is told about its instance; undefined when the instance is gone. */
export async function describeInstance(
  { config, sealer }: Pick<ClusterDeps, 'config' | 'sealer'>,
  db: Db,
  instanceId: string,
): Promise<AgentDescription | undefined> {
  const row = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select((from) => [
      'clusters.id',
      'clusters.name',
      'clusters.owner',
      ...addressColumns,
      'clusters.cloudflare_token',
      'instances.role',
      'instances.host',
      'instances.port',
      nameOf(from.ref('clusters.owner')).as('terminus_name'),
    ])
    .where('instances.id', '=', instanceId)
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
    .executeTakeFirst()
  if (!row) return undefined
  const proxy = row.role === 'master' ? proxyOf({ config, sealer }, { ...row, instanceId }) : undefined
  return {
    clusterId: row.id,
    instanceId,
    clusterName: row.name,
    owner: { did: row.owner, terminusName: row.terminus_name ?? '' },
    publicUrl: publicUrlOf(config, row) ?? config.clusterUrl(row.host_label),
    ...(proxy && { proxy }),
    product: config.product,
    walletUrl: config.walletUrl,
  }
}
