import type { Locale } from '@atoll/contract/wire'
import { invoicesOf } from '../views/read-invoices.ts'
import { type FileDeps, type InvoiceFile, printInvoice } from './invoice-file.ts'

/** Every invoice of an account on paper, one after the other. */
export async function* printInvoices(
  deps: FileDeps,
  { userid, locale }: { userid: string; locale: Locale },
): AsyncGenerator<InvoiceFile> {
  for (const { id: invoiceId } of await invoicesOf(deps.db, userid, {}).execute())
    yield await printInvoice(deps, { userid, invoiceId, locale })
}
