/** Issued documents of an account that is erased: sealed elsewhere first, then without whom they name. */
import { sql } from 'kysely'
import type { Trx } from '../../../platform/db/index.ts'
import '../records/documents/document-copies.ts'
import './invoice-file-store.ts'

export interface IssuedDocument {
  id: string
  /** As it was copied when it was issued. */
  content: unknown
  /** On paper, base64. */
  files: unknown
}

export async function listDocuments(trx: Trx, userid: string): Promise<IssuedDocument[]> {
  const { rows } = await sql<IssuedDocument>`
    select copy.document_id as id, copy.content, coalesce((select jsonb_agg(jsonb_build_object('locale', file.locale,
        'stands', file.stands, 'pdf', encode(file.bytes, 'base64')) order by file.locale, file.stands)
      from invoice_files file where file.invoice_id = copy.document_id), '[]') as files
    from document_copies copy where copy.userid = ${userid} order by copy.document_id`.execute(trx)
  return rows
}

/** Puts the pseudonym in the place of names and removes the documents, by the one way past their guard (0315). */
export async function hideDocuments(trx: Trx, userid: string, pseudonym: string): Promise<void> {
  await sql`select set_config('atoll.erasing_account', ${userid}, true)`.execute(trx)
  await sql`update document_copies set content = case when content ? 'card'
      then jsonb_set(content, '{card,last4}', '"0000"')
      else jsonb_set(regexp_replace(content::text, '"name": "([^"\\\\]|\\\\.)*"', '"name": "–"', 'g')::jsonb,
        '{account}', to_jsonb(${pseudonym}::text)) end
    where userid = ${userid}`.execute(trx)
  await sql`delete from invoice_files where userid = ${userid}`.execute(trx)
}
