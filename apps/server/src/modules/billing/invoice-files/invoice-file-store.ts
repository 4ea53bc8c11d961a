import type { Locale } from '@atoll/contract/wire'
import type { Db } from '../../../platform/db/index.ts'

interface InvoiceFilesTable {
  invoice_id: string
  locale: Locale
  /** How the invoice stood: see `invoiceFile`. */
  stands: string
  userid: string
  bytes: Buffer
  created_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    invoice_files: InvoiceFilesTable
  }
}

export type FileKey = Pick<InvoiceFilesTable, 'invoice_id' | 'locale' | 'stands'>

export async function findInvoiceFile(db: Db, { invoice_id, locale, stands }: FileKey): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('invoice_files')
    .select('bytes')
    .where('invoice_id', '=', invoice_id)
    .where('locale', '=', locale)
    .where('stands', '=', stands)
    .executeTakeFirst()
  return row?.bytes
}

/** Keeps the first copy; answers what is kept. Two at once keep one. */
export async function keepInvoiceFile(db: Db, file: InvoiceFilesTable): Promise<Buffer> {
  await db
    .insertInto('invoice_files')
    .values(file)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findInvoiceFile(db, file)) ?? file.bytes
}
