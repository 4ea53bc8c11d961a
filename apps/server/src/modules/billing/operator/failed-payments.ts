import { sql } from 'kysely'
import type { Attention } from '../../../platform/attention/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import '../records/documents/document-tables.ts'

const dayMs = 24 * 60 * 60_000
/** More than so many, and more than this share of all, of a day. */
const mostFailed = 5
const largestShare = 0.2

/** Card payments of a day that failed, where that is more than usual; what they were declined for most often. */
export async function findFailedPayments(db: Db, now: Date): Promise<Attention[]> {
  const { rows } = await sql<{ ended: number; failed: number; since: Date | null; said: string | null }>`
    select count(*)::int as ended, count(*) filter (where state = 'declined')::int as failed,
      min(ended_at) filter (where state = 'declined') as since,
      mode() within group (order by decline_code) filter (where state = 'declined') as said
    from payments
    where method_id is not null and state in ('succeeded', 'declined')
      and ended_at > ${new Date(now.getTime() - dayMs)}`.execute(db)
  const { ended = 0, failed = 0, since = null, said = null } = rows[0] ?? {}
  if (since === null || failed <= mostFailed || failed <= ended * largestShare) return []
  return [{ severity: 'warning', since, facts: { count: failed, ended, said: said ?? '–' } }]
}
