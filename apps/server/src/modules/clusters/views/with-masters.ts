import type { Db } from '../../../platform/db/index.ts'

/** Clusters, each with the master that it has now as `master`. */
export function selectWithMasters(db: Db) {
  return db
    .selectFrom('clusters')
    .innerJoin('instances as master', (join) =>
      join
        .onRef('master.cluster_id', '=', 'clusters.id')
        .on('master.role', '=', 'master')
        .on('master.replaced_at', 'is', null),
    )
}
