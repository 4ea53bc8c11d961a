import type { Zone } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/index.ts'
import { type PriceTerms, parseTerms, termsOf } from '../../../catalog/index.ts'
import { type CopiedLine, DocumentContent } from '../../records/documents/document-copies.ts'
import type { InvoiceItemRow } from '../../records/documents/document-tables.ts'
import type { SubscriptionState } from '../../records/documents/states.ts'

/**
 * A line of an invoice with what it was charged for, by the names that its cluster and instance had when it was issued.
 */
export type ChargedLine = InvoiceItemRow & {
  subscription_id: string
  item_state: SubscriptionState
  cluster: CopiedLine['cluster']
  instance: CopiedLine['instance']
  shares: CopiedLine['shares']
  /** Of its document's days. */
  zone: Zone
  terms: PriceTerms
}

/** The lines of an account's invoices, by invoice and in their order. */
export async function listChargedLines(
  db: Db,
  userid: string,
  invoiceIds: readonly string[],
): Promise<Map<string, ChargedLine[]>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('invoice_items as line')
    .innerJoin('subscription_items as item', 'item.id', 'line.item_id')
    .innerJoin('document_copies as copy', 'copy.document_id', 'line.invoice_id')
    .selectAll('line')
    .select(['item.subscription_id', 'item.state as item_state', termsOf(sql.ref('line.price_id')).as('terms')])
    // The copy of an invoice is of all its lines: it comes with the first of them.
    .select(sql<unknown>`case when line.line = 1 then copy.content end`.as('content'))
    .where('line.userid', '=', userid)
    .where('line.invoice_id', 'in', invoiceIds)
    .orderBy('line.invoice_id')
    .orderBy(sql.ref('line.line'))
    .execute()
  let copy: DocumentContent | undefined
  const lines = rows.flatMap(({ terms, content, ...row }): ChargedLine[] => {
    if (row.line === 1) copy = DocumentContent.parse(content)
    const copied = copy?.lines.find(({ line }) => line === row.line)
    return copy && copied ? [{ ...row, ...copied, terms: parseTerms(terms), zone: copy.zone }] : []
  })
  return Map.groupBy(lines, ({ invoice_id }) => invoice_id)
}
