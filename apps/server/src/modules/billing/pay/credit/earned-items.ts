import { type Currency, money } from '@atoll/money'
import type { Earned } from '../../../ledger/index.ts'
import type { InvoiceItemRow } from '../../records/documents/document-tables.ts'

/** Lines of an invoice, or parts of them, as the ledger earns them. */
export function earnedBy(
  lines: readonly Pick<InvoiceItemRow, 'revenue' | 'amount_minor' | 'discount_minor'>[],
  currency: Currency,
): Earned[] {
  return lines.map(({ revenue, amount_minor, discount_minor }) => ({
    revenue,
    gross: money(amount_minor, currency),
    discount: money(discount_minor, currency),
  }))
}
