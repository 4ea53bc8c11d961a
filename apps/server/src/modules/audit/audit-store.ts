import type { ColumnType, Generated, Insertable } from 'kysely'
import type { Trx } from '../../platform/db/index.ts'

interface EntryColumns {
  actor: string | null
  session_id: string | null
  ip: string | null
  action: string
  object_kind: string
  object_id: string
  object_name: string | null
  owner: string
  /** JSON texts. */
  before: string | null
  after: string | null
}

interface AuditDraftsTable extends EntryColumns {
  id: Generated<number>
  at: Generated<Date>
}

/** Written by the database alone, when a transaction with drafts commits. */
interface AuditRecordsTable extends EntryColumns {
  seq: number
  at: Date
  hash: string
}

interface AuditHeadTable {
  seq: number
  hash: string
}

interface AuditSealsTable {
  seq: number
  hash: string
  mac: string
  at: ColumnType<Date, Date, never>
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    audit_drafts: AuditDraftsTable
    audit_records: AuditRecordsTable
    audit_head: AuditHeadTable
    audit_seals: AuditSealsTable
  }
}

export async function insertDraft(trx: Trx, draft: Insertable<AuditDraftsTable>): Promise<void> {
  await trx.insertInto('audit_drafts').values(draft).execute()
}
