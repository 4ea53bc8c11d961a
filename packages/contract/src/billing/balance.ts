/** `/v1/bill/balance`: every change of what the account has (spec §3, §7). Amounts are minor units. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Currency, IsoTime } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { InvoiceId, inOrder, timeSpan } from './fields.ts'
import { balanceParts } from './kinds.ts'

/** Kinds of postings that move cash or promotional credit. */
export const balanceChangeTypes = [
  'hold',
  'release',
  'roll',
  'collect',
  'late_capture',
  'credit_note',
  'grant',
  'lapse',
  'card_refund',
  'refund_returned',
  'dispute_lost',
  'dispute_returned',
  'adjust',
] as const
export type BalanceChangeType = (typeof balanceChangeTypes)[number]

export const BalanceChange = z.object({
  /** Number of the posting in the account's book; one that moves both parts has two records. */
  seq: z.int(),
  createAt: IsoTime,
  type: z.enum(balanceChangeTypes),
  of: z.enum(balanceParts),
  /** Signed as `cashBalance`: below zero is to the customer's credit. */
  amount: z.int(),
  /** After it, signed the same. */
  balance: z.int(),
  /** In the caller's language. */
  description: z.string(),
  invoiceId: InvoiceId.optional(),
  invoiceNumber: z.string().optional(),
})
export type BalanceChange = z.infer<typeof BalanceChange>

export const balancePage = defineCall({
  name: 'balancePage',
  path: '/v1/bill/balance/page',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: 'Changes of the balance and the promotional credit, the newest first.',
  body: inOrder(
    pageQuery({ of: z.enum(balanceParts).optional(), type: z.enum(balanceChangeTypes).optional(), ...timeSpan }),
  ),
  data: pageOf({
    balanceChangeRecord: z.array(BalanceChange),
    currency: Currency,
    /** Remaining promotional credit, in the order in which it expires. */
    promo: z.array(z.object({ amount: z.int(), expiresAt: IsoTime.nullable() })),
    /** How many postings the account's book has: what a statement proves. */
    postings: z.int(),
  }),
})

/** The statement that a customer can check offline: GET; a refusal is an envelope in JSON. */
export const statementPath = '/v1/bill/statement'
/** The public keys that sign statements, the present one and those before it: GET, for everybody. */
export const statementKeyPath = '/.well-known/atoll-statement.json'
/**
 * The program that checks one without network, with the keys in it, on the console's own host: for `npx`, and as one
 * file.
 */
export const verifierPaths = { package: '/verify/atoll-statement.tgz', file: '/verify/atoll-statement.mjs' } as const
