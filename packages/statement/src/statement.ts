/**
 * A statement that a customer can check alone: the chain of their book, every invoice with the derivation of each
 * figure, its payments and refunds (design: billing, "Statement"). The server writes it; this package reads it and
 * knows nothing of the server.
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
  /** Its DID. */
  account: string
  /** Absent in statements from before accounts had ids. */
  accountId?: string
  currency: Currency
  zone: string
  /** When it was made. */
  at: string
  /** Where the signing key is published: its address. */
  issuer: string
  /** `first` stands before the first transaction: over the account's id, of older books over its DID, as without it. */
  book: { first?: string; seq: number; hash: string; transactions: StatementTransaction[] }
  invoices: StatementInvoice[]
  payments: StatementPayment[]
  creditNotes: StatementCredit[]
  /** Refunds from the balance to a card; absent in older statements. */
  cardRefunds?: StatementCardRefund[]
  /** Card payments that were adopted after a restore. */
  captures?: { id: string; amount: number }[]
  /** Payments that banks took back; `lost`: for good. */
  disputes?: { id: string; invoice: string | null; state: string; amount: number; withdrawn: number; lost: number }[]
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
  /** Or what was taken over of a card. */
  payment: string | null
  /** `pending` is set aside, `done` went to the card, `returned` came back from there. */
  state: string
  amount: number
  /** Made at the gateway: nothing was set aside for it. */
  isForeign?: boolean
  /** The reserved amount was released before it was booked. */
  isReleased?: boolean
}

interface DiscountExplain {
  code: string
  percentOff?: number
  amountOff?: number
  /** Of an amount that is taken once in each period: where that begins, and what earlier invoices took in it. */
  period?: string
  before?: number
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
  /** Of a flow: its quota grew by the share of the period that a raise was paid for. */
  quotaByTime?: true
  parts: { start: string; seconds: number; used: string; quota: string; above: string; rate: string | null }[]
  exact: string
  rounded: number
  /** A correction of a period that an earlier invoice charged, with the coupon of that period. */
  correction?: true
  /** Of that, what earlier invoices charged, less what credit notes gave back of it. */
  charged?: number
  waived?: number
  discount?: DiscountExplain
}
