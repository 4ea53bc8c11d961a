import { formatDecimal, formatMajorUnits, quantityDecimals } from '@atoll/money'
import type { CsvColumns } from '../../../../platform/paging/index.ts'
import type { UsageRow } from './show-days.ts'

/** Quantities are GB, for storage GB-months, with all their decimals; amounts are major units before discounts. */
export const usageColumns: CsvColumns<UsageRow> = {
  period: ({ period }) => `${period.start.toISOString()}/${period.until.toISOString()}`,
  day: ({ day }) => day,
  cluster: ({ cluster }) => cluster,
  product: ({ product }) => product,
  used_gb: ({ used }) => gigabytes(used),
  included_gb: ({ used, above }) => gigabytes(used - above),
  above_gb: ({ above }) => gigabytes(above),
  rate: ({ rate }) => rate,
  currency: ({ amount }) => amount.currency.toUpperCase(),
  amount: ({ amount }) => formatMajorUnits(amount),
  invoice: ({ invoices }) => invoices.join(' '),
  cluster_id: ({ clusterId }) => clusterId,
}

function gigabytes(micros: bigint): string {
  return formatDecimal(micros, quantityDecimals)
}
