import { sql } from 'kysely'
import type { Attention } from '../../../platform/attention/index.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'

/** An approved command that its cluster no longer allowed when it was given. */
interface LateCommandsTable {
  cluster_id: string
  owner: string
  at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    late_commands: LateCommandsTable
  }
}

/** Staff are told of one for so many days. */
const toldDays = 7

/** And removes those that staff are no longer told of. */
export async function putLateCommand(db: Db, row: LateCommandsTable): Promise<void> {
  await db
    .insertInto('late_commands')
    .values(row)
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet({ at: row.at }))
    .execute()
  const toldUntil = new Date(row.at.getTime() - toldDays * 24 * 60 * 60_000)
  await db.deleteFrom('late_commands').where('at', '<=', toldUntil).execute()
}

/** Another command was given since. */
export async function deleteLateCommand(trx: Trx, clusterId: string): Promise<void> {
  await trx.deleteFrom('late_commands').where('cluster_id', '=', clusterId).execute()
}

/** Of clusters that are still there, the oldest first. */
export async function findLateCommands(db: Db, now: Date): Promise<Attention[]> {
  const { rows } = await sql<{ id: string; name: string; at: Date; count: string }>`
    select late.cluster_id as id, cluster.name, late.at, count(*) over () as count
    from late_commands late join owned_clusters cluster on cluster.id = late.cluster_id
    where late.at > ${now}::timestamptz - make_interval(days => ${toldDays})
      and cluster.status not in ('destroyed', 'canceled')
    order by late.at limit 1`.execute(db)
  return rows.map(({ id, name, at, count }) => ({
    severity: 'warning',
    since: at,
    facts: { count: Number(count), name },
    object: id,
  }))
}
