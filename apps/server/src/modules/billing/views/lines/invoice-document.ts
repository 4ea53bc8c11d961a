/** The data of an invoice's file. Facts only: the caller has read them. */
import type { Zone } from '@atoll/money'
import type { InstanceTerms, PlanTerms } from '../../../catalog/index.ts'
import type { Issuer } from '../../records/documents/document-copies.ts'
import type {
  CreditNoteRow,
  InvoiceItemRow,
  InvoiceRow,
  PaymentRow,
  ProductType,
} from '../../records/documents/document-tables.ts'
import type { ExplainedLine } from './line-formula.ts'

export type InvoiceFacts = Pick<
  InvoiceRow,
  | 'number'
  | 'currency'
  | 'gross_minor'
  | 'discount_minor'
  | 'total_minor'
  | 'coupon'
  | 'issued_at'
  | 'valid_until'
  | 'reopened'
  | 'lost_minor'
  | 'state'
  | 'closed_at'
>

export type MeteredProductType = Exclude<ProductType, 'Instance'>

/** The item that a line charges: its terms as sold, and names as they were then. */
export type ChargedFor =
  | { kind: 'instance'; terms: Pick<InstanceTerms, 'title'>; cluster: string; worker?: string }
  | { kind: 'plan'; terms: Pick<PlanTerms, 'title'> }
  | { kind: 'usage'; product: MeteredProductType }

export type InvoiceLine = Pick<
  InvoiceItemRow,
  'line' | 'period_start' | 'period_end' | 'proration' | 'amount_minor' | 'discount_minor'
> & { of: ChargedFor } & Pick<ExplainedLine, 'explain' | 'shares'>

export type InvoicePayment = Pick<
  PaymentRow,
  | 'state'
  | 'promo_minor'
  | 'balance_minor'
  | 'rolled_minor'
  | 'card_minor'
  | 'collected_minor'
  | 'created_at'
  | 'ended_at'
> & { card?: { brand: string; last4: string } }

export type InvoiceCredit = Pick<CreditNoteRow, 'issued_at' | 'receivable_minor'> & {
  lines: readonly (Pick<InvoiceItemRow, 'line' | 'amount_minor' | 'discount_minor'> & {
    /** With its line's name, in the file's language; absent on credit notes from before it was written down. */
    reason?: string
  })[]
}

export interface InvoiceDocument {
  issuer: Issuer
  account: { name: string; id: string; zone: Zone }
  invoice: InvoiceFacts
  lines: readonly InvoiceLine[]
  /** First to last; those that failed are printed too. */
  payments: readonly InvoicePayment[]
  credits: readonly InvoiceCredit[]
}

/** Throws for an invoice whose lines are not its sums: no wrong figure is ever printed. */
export function requireSums({ invoice, lines }: InvoiceDocument): void {
  const sumOf = (key: 'amount_minor' | 'discount_minor') => lines.reduce((sum, line) => sum + line[key], 0)
  const [gross, discount] = [sumOf('amount_minor'), sumOf('discount_minor')]
  const isSum =
    gross === invoice.gross_minor && discount === invoice.discount_minor && gross - discount === invoice.total_minor
  if (!isSum) throw new Error(`The lines of ${invoice.number} sum to ${gross} less ${discount}, which it does not say.`)
}

/** The amount still to pay, minor units. */
export function leftToPay({ invoice, credits, payments }: InvoiceDocument): number {
  if (invoice.state === 'paid' || invoice.state === 'void') return 0
  const owed = credits.reduce((left, credit) => left - credit.receivable_minor, invoice.total_minor)
  if (invoice.lost_minor === 0) return owed
  // Paid once, and taken back by a bank.
  return payments
    .filter(({ state }) => state === 'succeeded')
    .reduce((left, { promo_minor, balance_minor, rolled_minor, card_minor, collected_minor }) => {
      return left - promo_minor - balance_minor - rolled_minor - card_minor + collected_minor
    }, owed + invoice.lost_minor)
}
