import type { ClusterConfig } from '../cluster-deps.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'

/** Of a cluster and its master, what decides where visitors reach it. */
export type Addressed = Pick<
  ClusterRow,
  'cluster_type' | 'reverse_proxy' | 'host_label' | 'direct_address' | 'cloudflare_hostname'
> &
  Pick<InstanceRow, 'host' | 'port'>

/** The columns that `Addressed` needs of a cluster. */
export const addressColumns = [
  'clusters.cluster_type',
  'clusters.reverse_proxy',
  'clusters.host_label',
  'clusters.direct_address',
  'clusters.cloudflare_hostname',
] as const

/** The path by which visitors reach a cluster. */
export type Ingress = 'edge' | 'relay' | 'frps' | 'cloudflare' | 'nobody'

export function ingressOf(
  config: Pick<ClusterConfig, 'frps'>,
  { cluster_type, reverse_proxy }: Pick<ClusterRow, 'cluster_type' | 'reverse_proxy'>,
): Ingress {
  if (cluster_type === 'Cloud') return 'edge'
  if (reverse_proxy === 'cloudflare') return 'cloudflare'
  if (reverse_proxy === 'none') return 'nobody'
  return config.frps ? 'frps' : 'relay'
}

/** Where visitors reach the cluster; null while that is not known: the host has to say where it is. */
export function publicUrlOf(config: ClusterConfig, cluster: Addressed): string | null {
  switch (ingressOf(config, cluster)) {
    case 'edge':
    case 'relay':
      return config.clusterUrl(cluster.host_label)
    case 'frps':
      return config.frps?.clusterUrl(cluster.host_label) ?? null
    case 'cloudflare':
      return cluster.cloudflare_hostname === null ? null : `https://${cluster.cloudflare_hostname}`
    case 'nobody':
      return directUrl(cluster)
  }
}

function directUrl({ direct_address: given, host, port }: Addressed): string | null {
  if (given !== null && /:\d+$/.test(given)) return `http://${given}`
  const name = given ?? (host?.includes(':') ? `[${host}]` : host)
  return name === null || name === undefined || port === null ? null : `http://${name}:${port}`
}
