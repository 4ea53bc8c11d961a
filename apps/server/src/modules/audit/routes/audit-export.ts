import { Readable } from 'node:stream'
import { AuditFilter, auditExportPath, mostExportedRecords } from '@atoll/contract/audit'
import { codes } from '@atoll/contract/wire'
import type { FastifyPluginAsync } from 'fastify'
import { localeOfRequest } from '../../../http/answers.ts'
import type { Authenticate } from '../../../http/calls.ts'
import { credentialsOf } from '../../../http/credentials.ts'
import type { Db } from '../../../platform/db/index.ts'
import { readParameters } from '../../../platform/parameters.ts'
import { refuse } from '../../../platform/refusal.ts'
import { csvHead, csvLine } from '../audit-csv.ts'
import { toAuditRecord } from '../audit-json.ts'
import { type AuditReader, countRecords, listRecords } from '../audit-store.ts'

/** Records read at a time: what one export holds in memory. */
const batch = 1000

/** `POST /v1/audit/export`: what the page shows, as CSV, sent while it is read. */
export function auditExportPlugin(deps: { db: Db; authenticate: Authenticate }): FastifyPluginAsync {
  const { db, authenticate } = deps
  return async (app) => {
    app.post(auditExportPath, async (request, reply) => {
      const { userid, token } = credentialsOf(request)
      const reader = await authenticate(userid, token, request.ip)
      const filter = readParameters(AuditFilter, request.body ?? {}, localeOfRequest(request))
      const rows = await countRecords(db, reader, filter)
      if (rows > mostExportedRecords) refuse('exportTooLarge', { rows, limit: mostExportedRecords })
      request.answerCode = codes.ok
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="activity.csv"')
        .header('cache-control', 'no-store')
        .send(Readable.from(csvLines(db, reader, filter)))
    })
  }
}

async function* csvLines(db: Db, reader: AuditReader, filter: AuditFilter): AsyncGenerator<string> {
  yield csvHead()
  let left = mostExportedRecords
  let below: number | undefined
  // Below the last one read: what is written meanwhile is newer, and moves nothing.
  while (left > 0) {
    const limit = Math.min(batch, left)
    const rows = await listRecords(db, reader, filter, { limit, ...(below !== undefined && { below }) })
    if (rows.length > 0) yield rows.map((row) => csvLine(toAuditRecord(row, reader))).join('')
    if (rows.length < limit) return
    below = rows.at(-1)?.seq
    left -= rows.length
  }
}
