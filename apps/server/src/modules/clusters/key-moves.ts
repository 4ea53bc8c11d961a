import type { Db } from '../../platform/db/index.ts'
import { type KeyMove, sealedColumn } from '../../platform/keys/index.ts'
import './tables.ts'

export const clusterKeyMoves = {
  'tunnel token': sealedColumn({ use: 'tunnel token', table: 'clusters', key: 'id', column: 'cloudflare_token' }),
} satisfies Record<string, KeyMove>

/** Masters that an frps of the operator serves: their agents hold a token for it. */
export async function listFrpInstances(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select('instances.id')
    .where('clusters.reverse_proxy', '=', 'frp')
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
    .where('instances.role', '=', 'master')
    .where('instances.replaced_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
