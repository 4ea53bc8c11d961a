import type { Resource } from '@atoll/contract/clusters'
import { isAwaitingHost, isBeingMade } from '../clusters/card/progress-steps.ts'
import type { TextKey } from '../locales/text.ts'

/** The text of the link to the cluster's own page, for details that the card has no room for; usually none. */
export function detailLinkOf(cluster: Resource): TextKey | undefined {
  if (isAwaitingHost(cluster)) return 'cluster.showCommand'
  if (isBeingMade(cluster)) return 'cluster.viewLog'
  return cluster.status === 'offline' ? 'cluster.findOut' : undefined
}
