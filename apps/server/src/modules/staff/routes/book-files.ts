/** For the accountant: a month's journal, invoices, credit notes and payments as CSV, its invoices as a ZIP of PDFs. */
import {
  BooksFilter,
  type bookLists,
  booksPath,
  InvoicesZip,
  invoicesPerZip,
  invoicesZipPath,
} from '@atoll/contract/staff'
import { codes, rates } from '@atoll/contract/wire'
import { formatMajorUnits, money } from '@atoll/money'
import type { FastifyPluginAsync } from 'fastify'
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { csvExportPlugin } from '../../../http/csv-export.ts'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import { localeOfRequest } from '../../../http/request/answers.ts'
import { type Authenticate, authenticateRequest } from '../../../http/request/authenticate-request.ts'
import { requireStaff } from '../../../http/request/require-staff.ts'
import { zipOf } from '../../../platform/archives/zip.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { CsvColumns } from '../../../platform/paging/index.ts'
import { readParameters } from '../../../platform/parameters.ts'
import { refuse } from '../../../platform/refusal.ts'
import { requireFreshSession } from '../../accounts/index.ts'
import { creditNotesIn, type FileDeps, invoicesIn, paymentsIn, printInvoice, type Span } from '../../billing/index.ts'
import { type JournalLine, journalOf } from '../../ledger/index.ts'
import { recordStaff } from '../acts/record-staff.ts'

export type BookFileDeps = FileDeps & {
  db: Db
  clock: Clock
  authenticate: Authenticate
  config: {
    /** Support sees a customer's figures with their consent alone: books, which are about all, are the operators'. */
    asksConsent: boolean
  }
}

/** The days of a month, in the zone of the currency's accounts. */
function spanOf({ month, currency, fromDay = 1, toDay }: BooksFilter): Span {
  const zoneMs = currency === 'cny' ? 8 * 3_600_000 : 0
  const [year = 0, number = 1] = month.split('-').map(Number)
  const end = Date.UTC(year, number, 1)
  const to = toDay === undefined ? end : Math.min(Date.UTC(year, number - 1, toDay + 1), end)
  return { currency, from: new Date(Date.UTC(year, number - 1, fromDay) - zoneMs), to: new Date(to - zoneMs) }
}

const major = (minor: number, currency: 'usd' | 'cny') => formatMajorUnits(money(Number(minor), currency))
const iso = (at: Date | null) => at?.toISOString() ?? null

async function admitTo(deps: BookFileDeps, caller: Caller, list: string, { month }: BooksFilter): Promise<void> {
  if (deps.config.asksConsent && caller.staff !== 'operator') refuse('operatorOnly')
  await requireFreshSession(deps, caller)
  await deps.db
    .transaction()
    .execute((trx) => recordStaff(trx, 'support.books', { owner: caller.userid, caller, facts: { list, month } }))
}

/** A query whose rows can be counted and read on from a row. */
interface Rows<Row> {
  count(span: Span): Promise<number>
  read(span: Span, limit: number, last: Row | undefined): Promise<Row[]>
}

/** Rows that go on after the moment and the id of the row before, in these columns. */
function datedRows<DB, Tables extends keyof DB, Row extends { id: string }>(
  db: Db,
  queryOf: (span: Span) => SelectQueryBuilder<DB, Tables, Row>,
  [at, id]: readonly [at: string, id: string],
): Rows<Row> {
  const key = at.split('.').at(-1) as keyof Row // the moment stands in the row under the column's own name
  return {
    count: (span) => countOf(db, queryOf(span)),
    read(span, limit, last) {
      const after = last && sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) > (${last[key]}, ${last.id})`
      const query = queryOf(span)
      return (after ? query.where(after) : query).limit(limit).execute()
    },
  }
}

async function countOf(db: Db, query: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) as count from ${query} as counted`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

function csvOf<Row>(
  deps: BookFileDeps,
  list: (typeof bookLists)[number],
  { count, read }: Rows<Row>,
  columns: CsvColumns<Row>,
): FastifyPluginAsync {
  return csvExportPlugin<BooksFilter, Row>(deps.authenticate, {
    path: booksPath(list),
    reach: 'staff',
    fileName: `${list}.csv`,
    filter: BooksFilter,
    columns,
    admit: (caller, filter) => admitTo(deps, caller, list, filter),
    count: (_, filter) => count(spanOf(filter)),
    read: (_, filter, limit, last) => read(spanOf(filter), limit, last),
  })
}

export function bookFiles(deps: BookFileDeps): FastifyPluginAsync[] {
  const { db } = deps
  const journal: Rows<JournalLine> = {
    count: (span) => countOf(db, journalOf(db, span)),
    read: (span, limit, last) => journalOf(db, span, last).limit(limit).execute(),
  }
  const invoices = datedRows(db, (span) => invoicesIn(db, span), ['issued_at', 'id'])
  const notes = datedRows(db, (span) => creditNotesIn(db, span), ['credit_notes.issued_at', 'credit_notes.id'])
  const payments = datedRows(db, (span) => paymentsIn(db, span), ['payments.created_at', 'payments.id'])
  return [
    csvOf(deps, 'journal', journal, {
      at: (row) => iso(row.at),
      customer: (row) => row.book,
      transaction: (row) => row.seq,
      kind: (row) => row.kind,
      document: (row) => row.document,
      account: (row) => row.account,
      debit: (row) => (row.amount_minor > 0 ? major(row.amount_minor, row.currency) : ''),
      credit: (row) => (row.amount_minor < 0 ? major(-row.amount_minor, row.currency) : ''),
      currency: (row) => row.currency.toUpperCase(),
    }),
    csvOf(deps, 'invoices', invoices, {
      number: (row) => row.number,
      issued: (row) => iso(row.issued_at),
      customer: (row) => row.userid,
      kind: (row) => row.kind,
      state: (row) => row.state,
      'before discount': (row) => major(row.gross_minor, row.currency),
      discount: (row) => major(row.discount_minor, row.currency),
      amount: (row) => major(row.total_minor, row.currency),
      currency: (row) => row.currency.toUpperCase(),
      closed: (row) => iso(row.closed_at),
      id: (row) => row.id,
    }),
    csvOf(deps, 'creditNotes', notes, {
      id: (row) => row.id,
      issued: (row) => iso(row.issued_at),
      invoice: (row) => row.number,
      customer: (row) => row.userid,
      'to balance': (row) => major(row.cash_minor, row.currency),
      'to promotional credit': (row) => major(row.promo_minor, row.currency),
      'off what was owed': (row) => major(row.receivable_minor, row.currency),
      currency: (row) => row.currency.toUpperCase(),
      cause: (row) => row.cause,
      reason: (row) => row.reason,
    }),
    csvOf(deps, 'payments', payments, {
      id: (row) => row.id,
      created: (row) => iso(row.created_at),
      ended: (row) => iso(row.ended_at),
      invoice: (row) => row.number,
      customer: (row) => row.userid,
      state: (row) => row.state,
      'promotional credit': (row) => major(row.promo_minor, row.currency),
      balance: (row) => major(row.balance_minor, row.currency),
      'to the next bill': (row) => major(row.rolled_minor, row.currency),
      card: (row) => major(row.card_minor, row.currency),
      currency: (row) => row.currency.toUpperCase(),
      gateway: (row) => row.gateway,
      'at the gateway': (row) => row.gateway_ref,
      declined: (row) => row.decline_code,
    }),
    zipPlugin(deps),
  ]
}

/** `POST invoicesZipPath`: two hundred of a month's invoices as PDFs; the parts go on until one is empty. */
function zipPlugin(deps: BookFileDeps): FastifyPluginAsync {
  const { db, authenticate } = deps
  return async (app) => {
    app.route({
      ...defineEndpoint({ method: 'POST', url: invoicesZipPath, rate: rates.costly, reach: 'account' }),
      async handler(request, reply) {
        const caller = { ...(await authenticateRequest(authenticate, request, reply)), ip: request.ip }
        requireStaff('staff', caller.staff, invoicesZipPath)
        const locale = localeOfRequest(request)
        const { part, ...filter } = readParameters(InvoicesZip, request.body ?? {}, locale)
        const query = invoicesIn(db, spanOf(filter)).offset((part - 1) * invoicesPerZip)
        const rows = await query.limit(invoicesPerZip).execute()
        if (rows.length === 0) refuse('notFound', { object: 'invoice' })
        await admitTo(deps, caller, 'invoices.zip', filter)
        const files = []
        for (const { userid, id: invoiceId } of rows) {
          const { number, bytes } = await printInvoice(deps, { userid, invoiceId, locale })
          files.push({ name: `${number}.pdf`, bytes })
        }
        request.answerCode = codes.ok
        return reply
          .type('application/zip')
          .header('content-disposition', `attachment; filename="invoices-${filter.month}-${part}.zip"`)
          .header('cache-control', 'no-store')
          .send(zipOf(files, deps.clock.now()))
      },
    })
  }
}
