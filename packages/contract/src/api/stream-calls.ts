/**
 * Endpoints of the product API that answer with something other than an envelope, for the OpenAPI document and for
 * tests. The session comes as the headers `userid` and `token` or, for resources that a browser loads without a script,
 * as the cookie `syncToken` with `?userid=`.
 */
import type { z } from 'zod'
import { AuditFilter, auditExportPath } from '../audit/audit-calls.ts'
import { statementPath } from '../billing/balance.ts'
import { InvoiceFilter, invoicePdfPath, invoicesExportPath } from '../billing/invoices.ts'
import { ChangeEvent, eventsPath } from '../wire/events.ts'

export interface StreamCall {
  /** camelCase, unique among all calls; the operationId. */
  name: string
  method: 'get' | 'post'
  path: `/${string}`
  summary: string
  /** Of the path, where it has one in braces, or of the query. */
  parameters?: readonly { name: string; in: 'path' | 'query'; description: string }[]
  /** A header that may be sent besides. */
  header?: { name: string; description: string }
  body?: z.ZodType
  /** Of a success; a refusal is an envelope in JSON. */
  contentType: string
  /** The JSON in each `data:` line of an event stream. */
  event?: z.ZodType
}

export const streamCalls: readonly StreamCall[] = [
  {
    name: 'events',
    method: 'get',
    path: eventsPath,
    summary:
      'Live changes as server-sent events named `change`, each with its number as `id`; first one whose topic is `hello`.',
    header: {
      name: 'Last-Event-ID',
      description: 'Number of the last event that was seen; what came after it is told.',
    },
    contentType: 'text/event-stream',
    event: ChangeEvent,
  },
  {
    name: 'auditExport',
    method: 'post',
    path: auditExportPath,
    summary: 'The records of the audit log that match, newest first, as CSV.',
    body: AuditFilter,
    contentType: 'text/csv',
  },
  {
    name: 'invoicesExport',
    method: 'post',
    path: invoicesExportPath,
    summary: "The account's invoices that match, newest first, as CSV.",
    body: InvoiceFilter,
    contentType: 'text/csv',
  },
  {
    name: 'invoicePdf',
    method: 'get',
    path: `/${invoicePdfPath('{invoiceId}').slice(1)}`,
    summary: 'One invoice of the account as a PDF; the same bytes whenever it is asked for.',
    parameters: [
      { name: 'invoiceId', in: 'path', description: 'Of `invoices/page`.' },
      { name: 'lang', in: 'query', description: '`en-US` or `zh-CN`; left out, as Accept-Language says.' },
    ],
    contentType: 'application/pdf',
  },
  {
    name: 'statement',
    method: 'get',
    path: statementPath,
    summary: 'All of the account’s money, signed: what its owner can check without us.',
    contentType: 'application/json',
  },
]
