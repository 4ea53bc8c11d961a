import {
  type BalanceChange,
  type BalanceChangeType,
  balanceChangeTypes,
  type balancePage,
} from '@atoll/contract/billing'
import type { CallBody, CallData, Locale } from '@atoll/contract/wire'
import type { Db } from '../../../platform/db/index.ts'
import { readPage } from '../../../platform/paging/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { balanceRecordsOf, countPostings } from '../../ledger/index.ts'
import { listPromo } from '../records/documents/promo-store.ts'
import { billingWords } from './lines/billing-words.ts'
import type { ReadDeps } from './read-deps.ts'
import { spanOf } from './read-time.ts'

export async function pageBalance(
  { db, clock, accounts }: ReadDeps,
  userid: string,
  { page, rowsPerPage, of, type, ...span }: CallBody<typeof balancePage>,
  locale: Locale,
): Promise<CallData<typeof balancePage>> {
  const account = of === 'balance' ? 'cash' : of
  const limits = await accounts.getLimits(db, userid)
  const { currency } = limits
  const [{ rows, figures }, promo, postings] = await Promise.all([
    readPage(balanceRecordsOf(db, userid, { account, kind: type, ...spanOf(span) }), { page, rowsPerPage }),
    listPromo(db, userid, currency, accountNow(limits, clock.now())),
    countPostings(db, userid),
  ])
  const invoices = await findInvoicesOf(
    db,
    userid,
    rows.map(({ document }) => document),
  )
  return {
    balanceChangeRecord: rows.map((row) => changeJson(row, invoices.get(row.document), locale)),
    currency,
    promo: promo.map(({ left_minor, expires_at }) => ({
      amount: left_minor,
      expiresAt: expires_at?.toISOString() ?? null,
    })),
    postings,
    ...figures,
  }
}

type RecordRow = Awaited<ReturnType<ReturnType<typeof balanceRecordsOf>['execute']>>[number]

function changeJson(
  row: RecordRow,
  invoice: { id: string; number: string } | undefined,
  locale: Locale,
): BalanceChange {
  const type = changeType(row)
  return {
    seq: row.seq,
    createAt: row.at.toISOString(),
    type,
    of: row.account === 'promo' ? 'promo' : 'balance',
    amount: row.amount_minor,
    balance: row.balance_after,
    description: billingWords[locale].change(type, invoice?.number),
    ...(invoice && { invoiceId: invoice.id, invoiceNumber: invoice.number }),
  }
}

/** The kinds of posting that move neither cash nor promotional credit are none of these. */
function changeType({ seq, kind }: RecordRow): BalanceChangeType {
  const type = balanceChangeTypes.find((one) => one === kind)
  if (type === undefined) throw new Error(`Posting ${seq} is of the kind ${kind}, which changes no balance`)
  return type
}

/** The invoices that postings are about: by the id of the invoice, of a payment of it or of a credit note to it. */
async function findInvoicesOf(
  db: Db,
  userid: string,
  documents: readonly string[],
): Promise<Map<string, { id: string; number: string }>> {
  if (documents.length === 0) return new Map()
  const payments = db
    .selectFrom('payments as about')
    .innerJoin('invoices', 'invoices.id', 'about.invoice_id')
    .select(['about.id as document', 'invoices.id', 'invoices.number'])
    .where('about.userid', '=', userid)
    .where('about.id', 'in', documents)
  const creditNotes = db
    .selectFrom('credit_notes as about')
    .innerJoin('invoices', 'invoices.id', 'about.invoice_id')
    .select(['about.id as document', 'invoices.id', 'invoices.number'])
    .where('about.userid', '=', userid)
    .where('about.id', 'in', documents)
  const rows = await db
    .selectFrom('invoices')
    .select(['id as document', 'id', 'number'])
    .where('userid', '=', userid)
    .where('id', 'in', documents)
    .unionAll(payments)
    .unionAll(creditNotes)
    .execute()
  return new Map(rows.map(({ document, ...invoice }) => [document, invoice]))
}
