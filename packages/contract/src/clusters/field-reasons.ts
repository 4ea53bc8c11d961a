/** Keys of this module's own field checks, each the message of a schema. */
export const clustersFieldReasons = [
  'clusterType',
  'hostAndPort',
  'hostName',
  'tunnelToken',
  'cloudflareMissing',
  'cloudflareOnly',
  'directOnly',
] as const

export type ClustersFieldReason = (typeof clustersFieldReasons)[number]
