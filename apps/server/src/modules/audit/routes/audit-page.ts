import { auditPage } from '@atoll/contract/audit'
import { implement, type Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { readPage } from '../../../platform/paging/index.ts'
import { toAuditRecord } from '../audit-json.ts'
import { recordsOf } from '../audit-store.ts'

export function auditPageRoute({ db }: { db: Db }): Route {
  return implement(auditPage, async ({ page, rowsPerPage, ...filter }, { account }) => {
    const { rows, figures } = await readPage(recordsOf(db, account, filter), { page, rowsPerPage })
    return { records: rows.map((row) => toAuditRecord(row, account)), ...figures }
  })
}
