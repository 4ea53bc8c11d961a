import type { InvoiceRow } from '@atoll/contract/billing'
import { type Currency, formatMajorUnits, money } from '@atoll/money'
import type { CsvColumns } from '../../../platform/paging/index.ts'

/** Amounts are major units with two decimals, times UTC. */
export const invoiceColumns: CsvColumns<InvoiceRow> = {
  number: (row) => row.number,
  issued: (row) => row.createAt,
  kind: (row) => row.kind,
  for: (row) => row.summary,
  'period start': (row) => isoOf(row.periodStart),
  'period end': (row) => isoOf(row.periodEnd),
  status: (row) => row.status,
  amount: (row) => major(row.amount, row.currency),
  currency: (row) => row.currency.toUpperCase(),
  'paid by': (row) => row.paidBy.join(', '),
  card: (row) => (row.payment?.cardLast4 === undefined ? null : `${row.payment.cardBrand} ${row.payment.cardLast4}`),
  id: (row) => row.invoiceId,
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function major(minor: number, currency: Currency): string {
  return formatMajorUnits(money(minor, currency))
}
