/**
 * Publishes that a cluster's figures moved, to who watches it: at most once in `everyMs` a cluster, also when its
 * instances measure themselves to different processes. Nobody watches: nothing is published, and little is read.
 */
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { type FleetingChange, listWatched, publishFleeting } from '../../../platform/events/index.ts'

/** As often as an agent measures. */
const everyMs = 5000

/** Takes the instances that were measured, once a second, also when there are none: what had to wait is due then. */
export type PublishFigures = (instanceIds: readonly string[]) => Promise<void>

export function createFigurePublisher({ db, clock }: { db: Db; clock: Clock }): PublishFigures {
  /** Told of less than `everyMs` ago, and moved since. */
  let waiting: FleetingChange[] = []
  return async (instanceIds) => {
    if (instanceIds.length === 0 && waiting.length === 0) return
    const now = clock.now()
    const watched = await listWatched(db, now, 'metrics')
    const moved = [...waiting, ...(await listClusters(db, instanceIds, watched))]
    const changes = new Map(
      moved
        .filter(({ account }) => watched === 'everybody' || watched.includes(account))
        .map((change) => [change.id, change]),
    )
    waiting = await publishFleeting(db, now, 'metrics', [...changes.values()], everyMs)
  }
}

/** The clusters of these instances that one of `owners` owns. */
async function listClusters(
  db: Db,
  instanceIds: readonly string[],
  owners: 'everybody' | string[],
): Promise<FleetingChange[]> {
  if (instanceIds.length === 0 || owners.length === 0) return []
  let query = db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select(['clusters.id', 'clusters.owner as account'])
    .distinct()
    .where('instances.id', '=', sql<string>`any(${[...instanceIds]}::text[])`)
    .where('clusters.purpose', '=', 'user')
  if (owners !== 'everybody') query = query.where('clusters.owner', '=', sql<string>`any(${owners}::text[])`)
  return await query.execute()
}
