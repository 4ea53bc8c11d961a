import type { Resource } from '@atoll/contract/clusters'
import { isAwaitingHost, isBeingMade } from '../clusters/card/progress-steps.ts'
import type { TextKey } from '../locales/text.ts'

/** What the cluster's own page has that the card has no room for, as the words of the link to it; usually nothing. */
export function detailLinkOf(cluster: Resource): TextKey | undefined {
  if (isAwaitingHost(cluster)) return 'cluster.showCommand'
  if (isBeingMade(cluster)) return 'cluster.viewLog'
  return cluster.status === 'offline' ? 'cluster.findOut' : undefined
}
