import type { Resource } from '@atoll/contract/clusters'
import { currentAccount } from '../../session/account-store.ts'

/** Whether the provider lacks the machine of one of the reader's own clusters, so that another can take its place. */
export function isLost({ missing, clusterType, actions, owner }: Resource): boolean {
  return missing && clusterType === 'Cloud' && actions.includes('repair') && owner.userid === currentAccount()?.userid
}
