import type { Notice } from '@atoll/contract/billing'
import type { Resource } from '@atoll/contract/clusters'
import { useInit } from '../../data/home-queries.ts'
import { useCurrentAccount } from '../../session/account-store.ts'

/**
 * The sentence that visitors are answered 503, since its owner's traffic is used up; others' plans are unknown. Traffic
 * outside our edge is not cut, and neither is a cluster that has no address yet.
 */
export function useTrafficLimited({ url, viaEdge, owner }: Resource): Notice | undefined {
  const isMine = useCurrentAccount()?.userid === owner.userid
  const notices = useInit().data?.notices ?? []
  const usedUp = notices.find(({ key, object }) => key === 'usageLimited' && object === 'cloud_traffic')
  return isMine && url !== null && viaEdge ? usedUp : undefined
}
