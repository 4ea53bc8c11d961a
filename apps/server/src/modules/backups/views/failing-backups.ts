import { sql } from 'kysely'
import type { Attention } from '../../../platform/attention/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import '../tables.ts'

/** Backups whose last two runs failed and whose owner was notified of that. */
export async function findFailingBackups(db: Db): Promise<Attention[]> {
  const { rows } = await sql<{ count: number; owners: number; since: Date; name: string }>`
    with failing as (
      select backups.id, backups.name, backups.owner, least(last[1], last[2]) as since
      from backups cross join lateral (
        select array_agg(ended_at) as last, bool_and(state = 'Failed') as failed from (
          select ended_at, state from snapshots
          where backup_id = backups.id and ended_at is not null and state <> 'Canceled'
          order by created_at desc limit 2) newest) runs
      where backups.state = 'active' and backups.troubles ? 'run' and runs.failed and cardinality(last) = 2)
    select count(*) over ()::int as count, (select count(distinct owner)::int from failing) as owners, since, name
    from failing order by since, id limit 1`.execute(db)
  return rows.map(({ count, owners, since, name }) => ({
    severity: 'warning',
    since,
    facts: { count, owners, name, first: { at: since.toISOString() } },
  }))
}
