import type { NewsKind } from '@atoll/contract/accounts'
import type { Trx } from '../../../platform/db/index.ts'
import { recordNews } from '../../news/index.ts'
import type { ClusterEvent, Position } from '../lifecycle/cluster-state.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'

/** Events that the owner waits for or has to act on; what else comes is said where it is seen. */
const told: Partial<Record<ClusterEvent, NewsKind>> = {
  installed: 'clusterReady',
  restored: 'clusterReady',
  vanished: 'clusterLost',
  failed: 'clusterFailed',
}

interface TellableEvent {
  cluster: ClusterRow
  /** As it was before. */
  instance: InstanceRow
  event: ClusterEvent
  to: Position
  at: Date
}

/** Adds the event to its owner's news, in the transaction that applies it; of a worker nothing. */
export async function tellEvent(trx: Trx, { cluster, instance, event, to, at }: TellableEvent): Promise<void> {
  const kind = told[event]
  if (!kind || instance.role !== 'master' || cluster.purpose === 'drill') return
  // One that is in use already waits for nobody.
  if (kind === 'clusterReady' && (instance.os_active || to.status !== 'running')) return
  await recordNews(trx, { userid: cluster.owner, at, kind, object: { id: cluster.id, name: cluster.name } })
}
