import { InvoiceFilter, InvoiceId, invoiceFilesPath, invoicesExportPath } from '@atoll/contract/billing'
import { codes, locales, rates } from '@atoll/contract/wire'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { csvExportPlugin } from '../../../http/csv-export.ts'
import { defineEndpoint } from '../../../http/rates/define-endpoint.ts'
import { localeOfRequest } from '../../../http/request/answers.ts'
import type { Authenticate } from '../../../http/request/authenticate-request.ts'
import { authenticateRequest } from '../../../http/request/authenticate-request.ts'
import type { Db } from '../../../platform/db/index.ts'
import { readParameters } from '../../../platform/parameters.ts'
import { refuse } from '../../../platform/refusal.ts'
import { type ExportedInvoice, invoiceColumns, readExported } from '../invoice-files/invoice-csv.ts'
import { type FileDeps, printInvoice } from '../invoice-files/invoice-file.ts'
import { countInvoices, invoicesOf, olderThan } from '../views/read-invoices.ts'

const Query = z.object({ lang: z.enum(locales).optional() })

/** `GET /v1/bill/invoices/{id}.pdf?lang=`: one invoice on paper. */
export function invoicePdfPlugin(deps: FileDeps & { authenticate: Authenticate }): FastifyPluginAsync {
  return async (app) => {
    app.route<{ Params: { file: string } }>({
      ...defineEndpoint({ method: 'GET', url: `${invoiceFilesPath}/:file`, rate: rates.costly, reach: 'account' }),
      handler: async (request, reply) => {
        const { userid } = await authenticateRequest(deps.authenticate, request, reply)
        const locale = localeOfRequest(request)
        const { lang = locale } = readParameters(Query, request.query, locale)
        const [, id] = /^(.+)\.pdf$/.exec(request.params.file) ?? []
        const invoiceId = InvoiceId.safeParse(id)
        if (!invoiceId.success) return refuse('notFound', { object: 'invoice' })
        const { number, bytes } = await printInvoice(deps, { userid, invoiceId: invoiceId.data, locale: lang })
        request.answerCode = codes.ok
        return reply
          .type('application/pdf')
          .header('content-disposition', `attachment; filename="${number}.pdf"`)
          .header('cache-control', 'private, no-store')
          .send(bytes)
      },
    })
  }
}

/** `POST /v1/bill/invoices/export`: what the page shows, as CSV. */
export function invoiceExportPlugin({ db, authenticate }: { db: Db; authenticate: Authenticate }): FastifyPluginAsync {
  return csvExportPlugin<InvoiceFilter, ExportedInvoice>(authenticate, {
    path: invoicesExportPath,
    fileName: 'invoices.csv',
    filter: InvoiceFilter,
    columns: invoiceColumns,
    count: ({ userid }, filter) => countInvoices(db, userid, filter),
    async read({ userid }, filter, limit, last) {
      const query = invoicesOf(db, userid, filter).limit(limit)
      const rows = await (last ? olderThan(query, last) : query).execute()
      return await readExported(db, userid, rows)
    },
  })
}
