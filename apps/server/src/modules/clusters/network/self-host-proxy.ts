import type { ProxyConfig } from '@atoll/contract/agents'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import type { ClusterRow } from '../tables.ts'
import { ingressOf } from './public-address.ts'
import { visitorsHeldOf } from './visitors-held.ts'

/**
 * The token that an instance's frpc presents to the operator's frps, whose server plugin asks this server to verify it.
 * It is derived from the deployment's key, stored nowhere, and valid for this instance only.
 */
export function frpTokenOf({ sealer }: Pick<ClusterDeps, 'sealer'>, instanceId: string): string {
  return sealer.derive('frp', instanceId)
}

/** How the agent of a cluster's master serves visitors; undefined if visitors do not come through the agent. */
export function proxyOf(
  { config, sealer }: Pick<ClusterDeps, 'config' | 'sealer'>,
  cluster: Pick<
    ClusterRow,
    'cluster_type' | 'reverse_proxy' | 'host_label' | 'cloudflare_hostname' | 'cloudflare_token'
  > & { instanceId: string },
): ProxyConfig | undefined {
  const { cloudflare_hostname: hostname, cloudflare_token: token, host_label: subdomain } = cluster
  switch (ingressOf(config, cluster)) {
    case 'edge':
      return undefined
    case 'nobody':
      return { kind: 'direct' }
    case 'relay':
      return { kind: 'relay', url: config.relayUrl }
    case 'cloudflare':
      if (hostname === null || token === null) throw new Error('A tunnel without name or token was stored')
      return { kind: 'cloudflare', tunnelToken: sealer.open('tunnel token', token), hostname }
    case 'frps': {
      if (!config.frps) throw new Error('Carried by an frps that is not configured')
      const { host: serverAddr, port: serverPort, token: authToken } = config.frps
      const auth = authToken === undefined ? {} : { authToken }
      return {
        kind: 'frp',
        serverAddr,
        serverPort,
        ...auth,
        subdomain,
        token: frpTokenOf({ sealer }, cluster.instanceId),
      }
    }
  }
}

/**
 * The label under which the operator's frps may serve this instance: it is the master of a cluster that asked for frp
 * and is not suspended.
 */
export async function findFrpLabel(
  { config }: Pick<ClusterDeps, 'config'>,
  db: Db,
  instanceId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select(['clusters.host_label', 'clusters.cluster_type', 'clusters.reverse_proxy'])
    .where('instances.id', '=', instanceId)
    .where('instances.role', '=', 'master')
    .where('instances.replaced_at', 'is', null)
    .where('clusters.status', 'not in', ['destroyed', 'canceled', 'destroying'])
    .where('clusters.given_up_at', 'is', null)
    .where(sql<SqlBool>`${visitorsHeldOf()} is null`)
    .executeTakeFirst()
  return row && ingressOf(config, row) === 'frps' ? row.host_label : undefined
}
