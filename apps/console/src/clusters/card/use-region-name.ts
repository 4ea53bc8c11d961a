import type { InstanceInfo, Resource } from '@atoll/contract/clusters'
import { useInit } from '../../data/home-queries.ts'

/** The region's title in the catalogue, or its id; the cloud's title where a cloud has but one region. */
function regionName(info: InstanceInfo | undefined, cloudName: string | null, regionId: string | null): string | null {
  const cloud = info?.clouds.find((known) => known.cloudName === cloudName)
  if (!cloud) return regionId
  if (cloud.regions.length === 1) return cloud.title
  return cloud.regions.find((region) => region.regionId === regionId)?.title ?? regionId
}

export function useRegionName(cluster: Resource): string | null {
  return regionName(useInit().data?.instanceInfo, cluster.cloudName, cluster.regionId)
}
