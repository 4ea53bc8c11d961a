import { displayName, type Locale } from '@atoll/contract/wire'
import { getDid } from '../../accounts/index.ts'
import { getParties, keepIssuer } from '../records/documents/document-copies.ts'
import { creditReason } from '../views/credit-json.ts'
import { getReadInvoice } from '../views/invoice-service.ts'
import type { ChargedLine } from '../views/lines/charged-lines.ts'
import { explainOf } from '../views/lines/formula-of.ts'
import type { ChargedFor, InvoiceCredit, InvoiceDocument, InvoicePayment } from '../views/lines/invoice-document.ts'
import type { ReadDeps } from '../views/read-deps.ts'
import { listCredits, type ReadCredit } from '../views/read-invoices.ts'
import type { CardPayment } from '../views/read-payments.ts'
import { findInvoiceFile, keepInvoiceFile } from './invoice-file-store.ts'

export interface FileDeps extends Pick<ReadDeps, 'db' | 'clock'> {
  config: { issuer: InvoiceDocument['issuer'] }
}

export interface InvoiceFile {
  number: string
  bytes: Buffer
}

/**
 * One invoice of the account as a PDF; refuses any other as one that there is none of. The first copy is kept for each
 * language and each way that the invoice stands, because it is paid or partly given back after it was first printed.
 */
export async function printInvoice(
  { db, clock, config }: FileDeps,
  { userid, invoiceId, locale }: { userid: string; invoiceId: string; locale: Locale },
): Promise<InvoiceFile> {
  const { invoice, lines, tries } = await getReadInvoice(db, userid, invoiceId)
  const credits = await listCredits(db, invoice.id)
  const { number } = invoice
  const ended = tries.filter(({ ended_at }) => ended_at !== null)
  const stands = `${invoice.state} payments ${tries.length} ended ${ended.length} credits ${credits.length}`
  const key = { invoice_id: invoice.id, locale, stands }
  const kept = await findInvoiceFile(db, key)
  if (kept) return { number, bytes: kept }
  const did = await getDid(db, userid)
  const { account, zone, issuer } = await getParties(db, invoice.id)
  // No seller was kept yet: this one is the first, and every document's from before.
  if (issuer === null) await keepIssuer(db, config.issuer, clock.now())
  // Loaded where it is used: what sets type is large.
  const { renderInvoicePdf } = await import('./invoice-pdf.ts')
  const bytes = await renderInvoicePdf(
    {
      issuer: issuer ?? config.issuer,
      account: { name: displayName({ terminusName: account, userid: did }), id: did, zone },
      invoice,
      lines: lines.map((line) => ({ ...line, explain: explainOf(line), of: chargedFor(line) })),
      payments: tries.map(printed),
      credits: credits.map((note) => withReasons(note, lines, locale)),
    },
    locale,
  )
  return { number, bytes: await keepInvoiceFile(db, { ...key, userid, bytes, created_at: clock.now() }) }
}

function withReasons(note: ReadCredit, lines: readonly ChargedLine[], locale: Locale): InvoiceCredit {
  return {
    ...note,
    lines: note.lines.map((given) => {
      const reason = creditReason({ ...note, lines: [given] }, lines, locale)
      return { ...given, ...(reason !== undefined && { reason }) }
    }),
  }
}

function printed({ brand, last4, ...payment }: CardPayment): InvoicePayment {
  return { ...payment, ...(brand !== null && last4 !== null && { card: { brand, last4 } }) }
}

function chargedFor({ product_type: product, terms, cluster, instance }: ChargedLine): ChargedFor {
  if (product !== 'Instance') return { kind: 'usage', product }
  if (terms.kind === 'plan') return { kind: 'plan', terms }
  const worker = instance?.role === 'worker' ? { worker: String(instance.ordinal) } : {}
  return { kind: 'instance', terms, cluster: cluster?.name ?? '', ...worker }
}
