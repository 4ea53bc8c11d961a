/**
 * What a customer can check by themselves: the chain of their book, every invoice with how each figure came to be, what
 * paid it and what was given back (design: billing, "Statement"). The server writes it; this package reads it and knows
 * nothing of the server.
 */
import type { Currency } from '@atoll/money'

export const statementFormat = 'atoll-statement-1'

export interface StatementFile {
  statement: Statement
  /** Ed25519 over `JSON.stringify(statement)`, both as hex. */
  signature: { algorithm: 'Ed25519'; publicKey: string; value: string }
}

/** Amounts are minor units; times of the book are UTC to the microsecond, others ISO 8601. */
export interface Statement {
  format: typeof statementFormat
  account: string
  currency: Currency
  zone: string
  /** When it was made. */
  at: string
  /** Where the signing key is published: its address. */
  issuer: string
  book: { seq: number; hash: string; transactions: StatementTransaction[] }
  invoices: StatementInvoice[]
  payments: StatementPayment[]
  creditNotes: StatementCredit[]
  /** What went from the balance back to a card; absent in statements from before there were any. */
  cardRefunds?: StatementCardRefund[]
}

export interface StatementTransaction {
  seq: number
  at: string
  recordedAt: string
  kind: string
  document: string
  key: string
  hash: string
  entries: { line: number; account: string; amount: number; balance: number }[]
}

export interface StatementInvoice {
  id: string
  number: string
  kind: string
  state: string
  issuedAt: string
  gross: number
  discount: number
  total: number
  items: StatementItem[]
}

export interface StatementItem {
  line: number
  productType: string
  revenue: string
  reason: string
  periodStart: string
  periodEnd: string
  amount: number
  discount: number
  /** How the amount and its discount came to be. */
  explain: PrepaidExplain | UsageExplain
}

export interface StatementPayment {
  id: string
  invoice: string
  state: string
  promo: number
  balance: number
  rolled: number
  card: number
  collected: number
}

export interface StatementCredit {
  id: string
  invoice: string
  cash: number
  promo: number
  receivable: number
  items: { line: number; amount: number; discount: number }[]
}

export interface StatementCardRefund {
  id: string
  payment: string
  /** `pending` is set aside, `done` went to the card. */
  state: string
  amount: number
}

interface DiscountExplain {
  code: string
  percentOff?: number
  amountOff?: number
  total: number
  of: number
}

export interface PrepaidExplain {
  rule: 'prepaid'
  price: number
  instead?: number
  periodSeconds: number
  fromSecond: number
  rounded: number
  discount?: DiscountExplain
}

export interface UsageExplain {
  rule: 'usage'
  measure: 'flow' | 'stock'
  periodSeconds: number
  parts: { start: string; seconds: number; used: string; quota: string; above: string; rate: string | null }[]
  exact: string
  rounded: number
  /** Of that, what an earlier invoice charged: the rest came late. */
  charged?: number
  waived?: number
  discount?: DiscountExplain
}
