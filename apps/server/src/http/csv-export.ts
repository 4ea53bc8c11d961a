import { Readable } from 'node:stream'
import { codes, mostExportedByStaff, mostExportedRows, rates, type StaffReach } from '@atoll/contract/wire'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Caller } from '../platform/caller.ts'
import { type CsvColumns, csvHead, csvLine, readBatches } from '../platform/paging/index.ts'
import { readParameters } from '../platform/parameters.ts'
import { refuse } from '../platform/refusal.ts'
import { defineEndpoint } from './rates/define-endpoint.ts'
import { localeOfRequest } from './request/answers.ts'
import type { Authenticate } from './request/authenticate-request.ts'
import { authenticateRequest } from './request/authenticate-request.ts'
import { requireStaff } from './request/require-staff.ts'

/** Rows read at a time: what one export holds in memory. */
const batch = 1000

/** The exported rows of a list, and how a row becomes a line. */
export interface CsvExport<Filter, Row> {
  path: string
  /** Of the staff's lists: who of them; absent: any account, which is answered what it may see. */
  reach?: StaffReach
  /** Name under which a browser saves it. */
  fileName: string
  filter: z.ZodType<Filter>
  columns: CsvColumns<Row>
  /** Of an export that not every session may make, or that is recorded: before anything is sent. */
  admit?(caller: Caller, filter: Filter, rows: number): Promise<void>
  /** How many rows `filter` matches for `caller`. */
  count(caller: Caller, filter: Filter): Promise<number>
  /** Up to `limit` of these rows that come after `last` in the order of the page. */
  read(caller: Caller, filter: Filter, limit: number, last: Row | undefined): Promise<Row[]>
}

/**
 * `POST` to the path: what the list's page shows, as CSV, sent while it is read. Refuses more than `mostExportedRows`,
 * of staff's lists `mostExportedByStaff`, with `exportTooLarge`; a refusal is an envelope in JSON.
 */
export function csvExportPlugin<Filter, Row>(
  authenticate: Authenticate,
  { path, reach, fileName, filter: Filter, columns, admit, count, read }: CsvExport<Filter, Row>,
): FastifyPluginAsync {
  const most = reach ? mostExportedByStaff : mostExportedRows
  return async (app) => {
    app.route({ ...defineEndpoint({ method: 'POST', url: path, rate: rates.costly, reach: 'account' }), handler })
    async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const caller = { ...(await authenticateRequest(authenticate, request, reply)), ip: request.ip }
      if (reach) requireStaff(reach, caller.staff, path)
      const filter = readParameters(Filter, request.body ?? {}, localeOfRequest(request))
      const rows = await count(caller, filter)
      if (rows > most) refuse('exportTooLarge', { rows, limit: most })
      await admit?.(caller, filter, rows)
      request.answerCode = codes.ok
      const batches = readBatches<Row>((limit, last) => read(caller, filter, limit, last), {
        batch,
        most,
      })
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(csvLines(columns, batches)))
    }
  }
}

async function* csvLines<Row>(columns: CsvColumns<Row>, batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  yield csvHead(columns)
  for await (const rows of batches) yield rows.map((row) => csvLine(columns, row)).join('')
}
