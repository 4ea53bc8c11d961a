/**
 * Of which kinds clusters and their parts are. Apart from the table of states, whose words the start of the console,
 * which reads these in addresses, does not load.
 */
import { z } from 'zod'

export const clusterTypes = ['Cloud', 'SelfHost'] as const
export const ClusterType = z.enum(clusterTypes)
export type ClusterType = z.infer<typeof ClusterType>

export const ReverseProxy = z.enum(['none', 'frp', 'cloudflare'])
export type ReverseProxy = z.infer<typeof ReverseProxy>

export const InstanceRole = z.enum(['master', 'worker'])
export type InstanceRole = z.infer<typeof InstanceRole>
