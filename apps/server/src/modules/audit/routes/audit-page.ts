import { auditPage } from '@atoll/contract/audit'
import { implement, type Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { toAuditRecord } from '../audit-json.ts'
import { countRecords, listRecords } from '../audit-store.ts'

export function auditPageRoute({ db }: { db: Db }): Route {
  return implement(auditPage, async ({ page, rowsPerPage, ...filter }, { account }) => {
    const [rows, rowsNumber] = await Promise.all([
      listRecords(db, account, filter, { limit: rowsPerPage, skip: (page - 1) * rowsPerPage }),
      countRecords(db, account, filter),
    ])
    return { records: rows.map((row) => toAuditRecord(row, account)), page, rowsPerPage, rowsNumber }
  })
}
