import type { AbuseOutcome } from '@atoll/contract/staff'
import type { Selectable } from 'kysely'
import type { Attention } from '../../platform/attention/index.ts'
import type { Db, Trx } from '../../platform/db/index.ts'

interface AbuseReportsTable {
  id: string
  what: string
  seen_at: Date
  reporter: string
  text: string
  cluster_id: string | null
  account_id: string | null
  written_by: string
  written_at: Date
  closed_by: string | null
  closed_at: Date | null
  outcome: AbuseOutcome | null
  closing: string | null
}
export type ReportRow = Selectable<AbuseReportsTable>

declare module '../../platform/db/index.ts' {
  interface Tables {
    abuse_reports: AbuseReportsTable
  }
}

type Closing = 'closed_by' | 'closed_at' | 'outcome' | 'closing'

export async function insertReport(trx: Trx, report: Omit<ReportRow, Closing>): Promise<void> {
  const open = { closed_by: null, closed_at: null, outcome: null, closing: null }
  await trx
    .insertInto('abuse_reports')
    .values({ ...report, ...open })
    .execute()
}

/** Open ones first, the oldest of them first. */
export function reportsQuery(db: Db) {
  return db
    .selectFrom('abuse_reports')
    .selectAll()
    .orderBy('closed_at', (order) => order.desc().nullsFirst())
    .orderBy('written_at')
    .orderBy('id')
}

export async function lockReport(trx: Trx, id: string): Promise<ReportRow | undefined> {
  return await trx.selectFrom('abuse_reports').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function closeReport(trx: Trx, id: string, closing: Pick<ReportRow, Closing>): Promise<void> {
  await trx.updateTable('abuse_reports').set(closing).where('id', '=', id).execute()
}

/** For the Overview: how many wait, and since when the oldest does. */
export async function findOpenReports(db: Db): Promise<Attention[]> {
  const { count, since } = await db
    .selectFrom('abuse_reports')
    .where('closed_at', 'is', null)
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('written_at').as('since')])
    .executeTakeFirstOrThrow()
  return since === null ? [] : [{ severity: 'warning', since, facts: { count } }]
}
