import type { Db } from '../../../platform/db/index.ts'
import { selectWithMasters } from './with-masters.ts'

/**
 * Whether a cluster of this account, thus of its ID, is activated and neither stopped nor gone: a second one that takes
 * up the ID with restored files would be at odds with it (spec §8, the guard of restores).
 */
export async function hasActiveCluster(db: Db, owner: string): Promise<boolean> {
  const row = await selectWithMasters(db)
    .select('clusters.id')
    .where('clusters.owner', '=', owner)
    .where('master.os_active', '=', true)
    .where('clusters.status', 'not in', ['stopped', 'destroyed', 'canceled'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
