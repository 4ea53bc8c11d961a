import type { AuditAction, AuditKind } from '@atoll/contract/audit'
import type { Generated, Selectable } from 'kysely'

interface EntryColumns {
  actor: string | null
  session_id: string | null
  ip: string | null
  action: AuditAction
  object_kind: AuditKind
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
  at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    audit_drafts: AuditDraftsTable
    audit_records: AuditRecordsTable
    audit_head: AuditHeadTable
    audit_seals: AuditSealsTable
  }
}

export type NewDraft = EntryColumns
export type AuditRow = Selectable<AuditRecordsTable>
