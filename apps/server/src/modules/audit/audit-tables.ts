import type { AuditAction, AuditKind } from '@atoll/contract/audit'
import type { Generated, Insertable, Selectable } from 'kysely'
import type { PersonalFields } from './audit-chain.ts'

interface ActColumns {
  session_id: string | null
  action: AuditAction
  object_kind: AuditKind
}

interface AuditDraftsTable extends ActColumns, PersonalFields {
  id: Generated<number>
  at: Generated<Date>
  /** Of an erasure: the DID whose records lose their personal fields when the transaction commits. */
  erases: Generated<string | null>
}

/** Written by the database alone, when a transaction with drafts commits. */
interface AuditRecordsTable extends ActColumns {
  seq: number
  at: Date
  /** `commitmentOf` its row of `audit_personal`. */
  commitment: string
  /** Of an erasure: the records whose personal rows went with it, as `3-7,12`. */
  erased: string | null
  /** Of an erasure: a hash over its rows of `audit_replaced`. */
  replaced: string | null
  hash: string
}

/** Commitments that took the place of a record's own when one who did it, and no owner, was erased. */
interface AuditReplacedTable {
  record: number
  erasure: number
  commitment: string
}

/** The personal fields of a record, until one of the people in it is erased. The texts before and after are JSON. */
interface AuditPersonalTable extends PersonalFields {
  record: number
  salt: string
}

/** A view of the records with their personal fields; of an erased one these are null. */
interface AuditEntriesView extends ActColumns, Omit<PersonalFields, 'object_id'> {
  seq: number
  at: Date
  object_id: string | null
  hash: string
  is_erased: boolean
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
    audit_personal: AuditPersonalTable
    audit_replaced: AuditReplacedTable
    audit_entries: AuditEntriesView
    audit_head: AuditHeadTable
    audit_seals: AuditSealsTable
  }
}

export type NewDraft = Insertable<AuditDraftsTable>
export type AuditRow = Selectable<AuditEntriesView>
