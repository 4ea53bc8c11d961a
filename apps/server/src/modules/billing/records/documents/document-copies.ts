/**
 * Copies of the facts that documents showed when they were issued (migration 0315): names of accounts, clusters and
 * instances, the seller, and the cards of payments. Written once with the document and never changed, so that later
 * renames do not alter it. A bill of a due item has the same id if it is issued again: then the first copy is kept.
 */
import { type Zone, zones } from '@atoll/money'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { faceOf } from '../../../payments/index.ts'

export const DocumentContent = z.object({
  /** The name that was bound to the account; null: none was. */
  account: z.string().nullable(),
  zone: z.enum(zones),
  lines: z.array(
    z.object({
      line: z.int(),
      cluster: z.object({ id: z.string(), name: z.string() }).nullable(),
      instance: z.object({ id: z.string(), role: z.enum(['master', 'worker']), ordinal: z.int() }).nullable(),
      /** Of usage: what each cluster used, 10^-6 units as decimal text, the most first. */
      shares: z.array(z.object({ clusterId: z.string(), name: z.string(), used: z.string() })),
    }),
  ),
})
export type DocumentContent = z.infer<typeof DocumentContent>
export type CopiedLine = DocumentContent['lines'][number]

const CardContent = z.object({ card: z.object({ brand: z.string(), last4: z.string() }) })

/** The seller: the product, the seller's name, and the lines of its address. */
export interface Issuer {
  product: string
  name: string
  address: readonly string[]
}

interface IssuersTable extends Issuer {
  seq: number
  kept_at: Date
}

interface DocumentCopiesTable {
  document_id: string
  userid: string
  /** Null: the first that was kept. */
  issuer: number | null
  content: unknown
}

declare module '../../../../platform/db/index.ts' {
  interface Tables {
    issuers: IssuersTable
    document_copies: DocumentCopiesTable
  }
}

/** Has what is issued from now on name this seller; does nothing where it does already. */
export async function keepIssuer(db: Db, { product, name, address }: Issuer, at: Date): Promise<void> {
  await sql`insert into issuers (product, name, address, kept_at)
    select ${product}, ${name}, ${[...address]}::text[], ${at}
    where not exists (select from (select * from issuers order by seq desc limit 1) as newest
      where product = ${product} and name = ${name} and address = ${[...address]}::text[])`.execute(db)
}

/** Writes down what an invoice shows; in the transaction that issues it, once its lines stand. */
export async function copyInvoice(trx: Trx, { id, userid }: { id: string; userid: string }): Promise<void> {
  await sql`insert into document_copies values
    (${id}, ${userid}, (select max(seq) from issuers), document_content(${id}))
    on conflict do nothing`.execute(trx)
}

/** The same of a credit note. */
export async function copyCreditNote(trx: Trx, { id, userid }: { id: string; userid: string }): Promise<void> {
  await sql`insert into document_copies values
    (${id}, ${userid}, (select max(seq) from issuers), credit_note_content(${id}))
    on conflict do nothing`.execute(trx)
}

/** For a statement: writes down which card a payment is charged to, if it is charged to one. */
export function copyCard({
  id,
  userid,
  method_id,
}: {
  id: string
  userid: string
  method_id: string | null
}): RawBuilder<{ document_id: string }> {
  return sql<{ document_id: string }>`(insert into document_copies
    select ${id}::text, ${userid}::text, (select max(seq) from issuers), jsonb_build_object('card', card.face)
    from (select ${faceOf(sql<string>`${method_id}::text`)} as face) card where card.face is not null
    on conflict do nothing returning document_id)`
}

/** The card that a payment is charged to, as it was when it began; undefined where none is. */
export async function findCopiedCard(db: Db, paymentId: string): Promise<{ brand: string; last4: string } | undefined> {
  const row = await db
    .selectFrom('document_copies')
    .select('content')
    .where('document_id', '=', paymentId)
    .executeTakeFirst()
  return row && CardContent.parse(row.content).card
}

/** The copies of these invoices, by their ids. */
export async function readCopies(db: Db, invoiceIds: readonly string[]): Promise<Map<string, DocumentContent>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_copies')
    .select(['document_id', 'content'])
    .where('document_id', 'in', invoiceIds)
    .execute()
  return new Map(rows.map(({ document_id, content }) => [document_id, DocumentContent.parse(content)]))
}

/** Whom an invoice was issued to, in which zone, and by whom; null: before any seller was kept. */
export async function getParties(
  db: Db,
  invoiceId: string,
): Promise<{ account: string | null; zone: Zone; issuer: Issuer | null }> {
  const { content, product, name, address } = await db
    .selectFrom('document_copies as copy')
    .leftJoin('issuers', (join) =>
      join.on(sql<boolean>`issuers.seq = coalesce(copy.issuer, (select min(seq) from issuers))`),
    )
    .select(['content', 'product', 'name', 'address'])
    .where('document_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  const { account, zone } = DocumentContent.parse(content)
  const issuer = product === null || name === null || address === null ? null : { product, name, address }
  return { account, zone, issuer }
}
