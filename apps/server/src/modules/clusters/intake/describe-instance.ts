import type { Db } from '../../../platform/db/index.ts'
import { didOfAccount, nameOf } from '../../accounts/index.ts'
import type { AgentDescription } from '../../agents/index.ts'
import type { IntakeDeps } from '../cluster-deps.ts'
import { addressColumns, publicUrlOf } from '../network/public-address.ts'
import { proxyOf } from '../network/self-host-proxy.ts'

/** The description of an instance that is sent to its agent; undefined when the instance is gone. */
export async function describeInstance(
  { config, sealer, catalog, isStorageStopped }: Pick<IntakeDeps, 'config' | 'sealer' | 'catalog' | 'isStorageStopped'>,
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
      'clusters.cluster_type',
      'clusters.cloud_name',
      ...addressColumns,
      'clusters.cloudflare_token',
      'instances.role',
      'instances.host',
      'instances.port',
      didOfAccount(from.ref('clusters.owner')).as('did'),
      nameOf(from.ref('clusters.owner')).as('terminus_name'),
    ])
    .where('instances.id', '=', instanceId)
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
    .executeTakeFirst()
  if (!row) return undefined
  const proxy = row.role === 'master' ? proxyOf({ config, sealer }, { ...row, instanceId }) : undefined
  // An owner's own machine is their own: it is never limited.
  const storageStopped = row.cluster_type === 'Cloud' && (await isStorageStopped(db, row.owner))
  return {
    clusterId: row.id,
    instanceId,
    clusterName: row.name,
    owner: { did: row.did, terminusName: row.terminus_name ?? '' },
    publicUrl: publicUrlOf(config, row) ?? config.clusterUrl(row.host_label),
    ...(proxy && { proxy }),
    ...(storageStopped && { storageStopped }),
    product: config.product,
    walletUrl: config.walletUrl,
    consoleUrl: `${config.publicUrl}/cluster/${row.id}`,
    controlUrls: [controlUrlOf({ config, catalog }, row)],
  }
}

/** Where an agent reaches us: a machine of its owner from anywhere, one of a cloud as that cloud's hosts do. */
function controlUrlOf(
  { config, catalog }: Pick<IntakeDeps, 'config' | 'catalog'>,
  { cluster_type: type, cloud_name: name }: { cluster_type: string; cloud_name: string | null },
): string {
  if (type !== 'Cloud') return config.enrollUrl
  const cloud = catalog.current().clouds.find(({ cloudName }) => cloudName === name)
  return cloud?.lxd?.controlUrl ?? config.controlUrl
}
