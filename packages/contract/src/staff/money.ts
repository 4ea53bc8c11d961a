/** `/v1/operator/money`: the deployment's money, one currency at a time. Amounts are minor units. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Currency, IsoTime, WireInt } from '../wire/fields.ts'
import { AccountId } from './approvals.ts'
import { StaffPerson } from './members.ts'
import { byOperator, byStaff, readByStaff } from './who-calls.ts'

const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)

export const MoneyMonth = z.object({
  month: Month,
  /** Invoiced less discounts, credit notes and write-offs; of the products before discounts. */
  revenue: z.int(),
  instance: z.int(),
  plan: z.int(),
  usage: z.int(),
  discount: z.int(),
  collected: z.int(),
  refunded: z.int(),
  writtenOff: z.int(),
})
export type MoneyMonth = z.infer<typeof MoneyMonth>

export const overdueAges = ['7', '14', '30', 'more'] as const

export const StaffDispute = z.object({
  disputeId: z.string(),
  person: StaffPerson,
  number: z.string().nullable(),
  reason: z.string(),
  state: z.enum(['inquiry', 'open', 'won', 'lost', 'closed']),
  amount: z.int(),
  withdrawn: z.int(),
  openedAt: IsoTime,
  dueBy: IsoTime.nullable(),
  /** When and how the bank was answered; null: not yet. */
  answer: z.object({ way: z.enum(['evidence', 'accept']), at: IsoTime, isSent: z.boolean() }).nullable(),
})
export type StaffDispute = z.infer<typeof StaffDispute>

export const DeploymentMoney = z.object({
  months: z.array(MoneyMonth),
  /** Revenue of last month by the same day. */
  before: z.int(),
  writtenOffCount: z.int(),
  overdue: z.object({
    amount: z.int(),
    customers: z.int(),
    /** By days since they were due, up to so many. */
    ages: z.array(z.object({ age: z.enum(overdueAges), amount: z.int(), count: z.int() })),
    rows: z.array(
      z.object({
        invoiceId: z.string(),
        person: StaffPerson,
        number: z.string(),
        dueAt: IsoTime,
        tries: z.int(),
        stoppedAt: IsoTime.nullable(),
        destroyAt: IsoTime.nullable(),
        amount: z.int(),
      }),
    ),
  }),
  disputes: z.array(StaffDispute),
  unknown: z.array(
    z.object({
      paymentId: z.string(),
      person: StaffPerson,
      number: z.string(),
      since: IsoTime,
      asked: z.int(),
      ref: z.string().nullable(),
      amount: z.int(),
    }),
  ),
  /** How payments with a card ended in the last 24 hours; `code` null: they succeeded. */
  ended: z.array(z.object({ code: z.string().nullable(), count: z.int() })),
  refunds: z.array(
    z.object({
      refundId: z.string(),
      person: StaffPerson,
      number: z.string().nullable(),
      at: IsoTime.nullable(),
      amount: z.int(),
    }),
  ),
  captures: z.array(
    z.object({
      ref: z.string(),
      person: StaffPerson.nullable(),
      number: z.string().nullable(),
      at: IsoTime,
      amount: z.int(),
    }),
  ),
  parked: z.array(z.object({ person: StaffPerson, since: IsoTime, why: z.string() })),
  verified: z.object({ at: IsoTime, books: z.int(), transactions: z.int(), problem: z.string().nullable() }).nullable(),
})
export type DeploymentMoney = z.infer<typeof DeploymentMoney>

export const moneyShow = defineCall({
  name: 'moneyShow',
  path: '/v1/operator/money/show',
  ...readByStaff,
  topics: [],
  summary: 'Revenue, collected, refunded and written off by month; what is overdue, disputed, unknown, parked.',
  body: z.strictObject({ currency: Currency }),
  data: DeploymentMoney,
})

export const ledgerVerify = defineCall({
  name: 'ledgerVerify',
  path: '/v1/operator/money/verify',
  ...byStaff,
  topics: [],
  summary: 'Has the ledger verified now.',
  body: z.strictObject({}),
})

export const accountUnpark = defineCall({
  name: 'accountUnpark',
  path: '/v1/operator/money/unpark',
  ...byOperator,
  topics: [],
  summary: 'Has the bills of an account written again that was parked.',
  body: z.strictObject({ accountId: AccountId }),
})

/** For the accountant: of a month, or of some of its days. */
export const BooksFilter = z.strictObject({
  month: Month,
  currency: Currency,
  fromDay: WireInt.pipe(z.int().min(1).max(31)).optional(),
  toDay: WireInt.pipe(z.int().min(1).max(31)).optional(),
})
export type BooksFilter = z.infer<typeof BooksFilter>
export const bookLists = ['journal', 'invoices', 'creditNotes', 'payments'] as const
export const booksPath = (list: (typeof bookLists)[number]) => `/v1/operator/money/export/${list}` as const

/** So many invoices at most are in one ZIP. */
export const invoicesPerZip = 200
export const InvoicesZip = BooksFilter.extend({ part: WireInt.pipe(z.int().min(1).max(1000)).default(1) })
export const invoicesZipPath = '/v1/operator/money/invoices-zip'
