import { AuditFilter, type AuditRecord, auditExportPath } from '@atoll/contract/audit'
import type { FastifyPluginAsync } from 'fastify'
import { csvExportPlugin } from '../../../http/csv-export.ts'
import type { Authenticate } from '../../../http/request/authenticate-request.ts'
import type { Db } from '../../../platform/db/index.ts'
import { auditColumns } from '../audit-csv.ts'
import { toAuditRecord } from '../audit-json.ts'
import { countRecords, recordsOf } from '../audit-store.ts'

/** `POST /v1/audit/export`: what the page shows, as CSV. */
export function auditExportPlugin({ db, authenticate }: { db: Db; authenticate: Authenticate }): FastifyPluginAsync {
  return csvExportPlugin<AuditFilter, AuditRecord>(authenticate, {
    path: auditExportPath,
    fileName: 'activity.csv',
    filter: AuditFilter,
    columns: auditColumns,
    count: (caller, filter) => countRecords(db, caller, filter),
    async read(caller, filter, limit, last) {
      let query = recordsOf(db, caller, filter).limit(limit)
      // Records that are written meanwhile are newer, and shift no page.
      if (last) query = query.where('seq', '<', last.seq)
      return (await query.execute()).map((row) => toAuditRecord(row, caller))
    },
  })
}
