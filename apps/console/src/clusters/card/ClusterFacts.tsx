import type { Resource } from '@atoll/contract/clusters'
import { shorten } from '@atoll/contract/wire'
import { Facts } from '@atoll/ui'
import type { ReactNode } from 'react'
import { useText } from '../../locales/text.ts'
import { useRegionName } from './use-region-name.ts'

interface ClusterFactsProps {
  cluster: Resource
  children?: ReactNode
}

/** Flavour, region and whose it is; more facts may follow. */
export function ClusterFacts({ cluster, children }: ClusterFactsProps) {
  const t = useText()
  const region = useRegionName(cluster)
  return (
    <Facts>
      {cluster.clusterType === 'Cloud' ? t('cluster.cloud') : t('cluster.selfHost')}
      {region}
      {cluster.owner.terminusName ?? shorten(cluster.owner.userid)}
      {children}
    </Facts>
  )
}
