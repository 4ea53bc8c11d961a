import type { Db } from '../../platform/db/index.ts'
import { csvHead, csvLine } from '../../platform/paging/index.ts'
import { auditColumns } from './audit-csv.ts'
import { toAuditRecord } from './audit-json.ts'
import { recordsOf } from './audit-store.ts'

/** The whole activity of an account as its owner sees it, as CSV, the newest first. */
export async function exportActivity(db: Db, did: string): Promise<string> {
  const reader = { did, role: 'User' } as const
  const rows = await recordsOf(db, reader, {}).execute()
  return csvHead(auditColumns) + rows.map((row) => csvLine(auditColumns, toAuditRecord(row, reader))).join('')
}
