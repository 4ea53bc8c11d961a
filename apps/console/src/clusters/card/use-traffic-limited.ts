import type { Resource } from '@atoll/contract/clusters'
import { useInit } from '../../data/home-queries.ts'

/**
 * Whether visitors are answered 503, since the account's traffic is used up. A tunnel of frp or Cloudflare is not cut
 * by us, and neither is a cluster that has no address yet.
 */
export function useTrafficLimited({ url, reverseProxy }: Resource): boolean {
  const notices = useInit().data?.notices ?? []
  const isUsedUp = notices.some(({ key, object }) => key === 'usageLimited' && object === 'cloud_traffic')
  return isUsedUp && url !== null && reverseProxy === 'none'
}
