import { Explain } from '@atoll/contract/billing'
import type { Clock } from '../../../../platform/clock.ts'
import type { Sealer } from '../../../../platform/crypto.ts'
import { type Db, inSnapshot, type Trx } from '../../../../platform/db/index.ts'
import { type Accounts, getDid, type Limits } from '../../../accounts/index.ts'
import { type Book, readBook } from '../../../ledger/index.ts'
import { ensureStatementKey } from './statement-key-store.ts'

export interface StatementDeps {
  db: Db
  clock: Clock
  accounts: Pick<Accounts, 'getLimits'>
  sealer: Sealer
  config: { publicUrl: string }
}

export interface SignedStatement {
  /** How many postings it holds. */
  seq: number
  /** The file: the statement, and the signature on its text. */
  text: string
}

/**
 * All of an account's money as it stands now, signed: what `packages/statement` checks. Read in one snapshot, so that
 * documents and postings are of the same instant.
 */
export async function buildStatement(deps: StatementDeps, userid: string): Promise<SignedStatement> {
  const { db, clock, accounts, sealer, config } = deps
  const limits = await accounts.getLimits(db, userid)
  const key = await ensureStatementKey({ db, sealer, now: clock.now() })
  const statement = await inSnapshot(db, (trx) =>
    readStatement(trx, { userid, limits, at: clock.now(), issuer: config.publicUrl }),
  )
  const value = key.sign(JSON.stringify(statement))
  const signature = { algorithm: 'Ed25519', publicKey: key.publicKey, value }
  return { seq: statement.book.seq, text: `${JSON.stringify({ statement, signature }, null, 1)}\n` }
}

interface Reading {
  userid: string
  limits: Pick<Limits, 'currency' | 'zone'>
  at: Date
  issuer: string
}

async function readStatement(trx: Trx, { userid, limits: { currency, zone }, at, issuer }: Reading) {
  const book = await readBook(trx, userid, currency)
  return {
    format: 'atoll-statement-1',
    account: await getDid(trx, userid),
    accountId: userid,
    currency,
    zone,
    at: at.toISOString(),
    issuer,
    book: { first: book.first, seq: book.seq, hash: book.hash, transactions: book.transactions.map(transactionJson) },
    invoices: await readInvoices(trx, userid),
    payments: await readPayments(trx, userid),
    creditNotes: await readCredits(trx, userid),
    cardRefunds: await readCardRefunds(trx, userid),
    captures: await readCaptures(trx, userid),
    disputes: await readDisputes(trx, userid),
  }
}

function transactionJson({ seq, at, recorded_at, kind, document, key, hash, entries }: Book['transactions'][number]) {
  return {
    seq,
    at,
    recordedAt: recorded_at,
    kind,
    document,
    key,
    hash,
    entries: entries.map(({ line, account, amount_minor, balance_after }) => ({
      line,
      account,
      amount: amount_minor,
      balance: balance_after,
    })),
  }
}

async function readInvoices(trx: Trx, userid: string) {
  const invoices = await trx.selectFrom('invoices').selectAll().where('userid', '=', userid).execute()
  const lines = await trx.selectFrom('invoice_items').selectAll().where('userid', '=', userid).orderBy('line').execute()
  const own = Map.groupBy(lines, ({ invoice_id }) => invoice_id)
  return invoices.sort(byNumber).map((invoice) => ({
    id: invoice.id,
    number: invoice.number,
    kind: invoice.kind,
    state: invoice.state,
    issuedAt: invoice.issued_at.toISOString(),
    gross: invoice.gross_minor,
    discount: invoice.discount_minor,
    total: invoice.total_minor,
    items: (own.get(invoice.id) ?? []).map((line) => ({
      line: line.line,
      productType: line.product_type,
      revenue: line.revenue,
      reason: line.reason,
      periodStart: line.period_start.toISOString(),
      periodEnd: line.period_end.toISOString(),
      amount: line.amount_minor,
      discount: line.discount_minor,
      explain: Explain.parse(JSON.parse(line.explain)),
    })),
  }))
}

/** `ATL-7K3QD-9999` stands before `ATL-7K3QD-10000`, and both before `ATL-7K3QD-R1-0001`. */
function byNumber(a: { number: string }, b: { number: string }): number {
  const [[series, count], [otherSeries, otherCount]] = [placeOf(a.number), placeOf(b.number)]
  return series - otherSeries || count - otherCount
}

function placeOf(number: string): [series: number, count: number] {
  const [, series = '0', count = '0'] = /(?:-R(\d+))?-(\d+)$/.exec(number) ?? []
  return [Number(series), Number(count)]
}

async function readPayments(trx: Trx, userid: string) {
  const rows = await trx
    .selectFrom('payments')
    .selectAll()
    .where('userid', '=', userid)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    invoice: row.invoice_id,
    state: row.state,
    promo: row.promo_minor,
    balance: row.balance_minor,
    rolled: row.rolled_minor,
    card: row.card_minor,
    collected: row.collected_minor,
  }))
}

async function readCredits(trx: Trx, userid: string) {
  const notes = await trx
    .selectFrom('credit_notes')
    .selectAll()
    .where('userid', '=', userid)
    .orderBy('issued_at')
    .orderBy('id')
    .execute()
  const lines = await trx
    .selectFrom('credit_note_items')
    .selectAll()
    .where('userid', '=', userid)
    .orderBy('line')
    .execute()
  const own = Map.groupBy(lines, ({ credit_note_id }) => credit_note_id)
  return notes.map((note) => ({
    id: note.id,
    invoice: note.invoice_id,
    cash: note.cash_minor,
    promo: note.promo_minor,
    receivable: note.receivable_minor,
    items: (own.get(note.id) ?? []).map(({ line, amount_minor, discount_minor }) => ({
      line,
      amount: amount_minor,
      discount: discount_minor,
    })),
  }))
}

async function readCardRefunds(trx: Trx, userid: string) {
  const rows = await trx
    .selectFrom('card_refunds')
    .selectAll()
    .where('userid', '=', userid)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    payment: row.payment_id ?? row.capture_id,
    state: row.state,
    amount: row.amount_minor,
    // Whether the refund was made elsewhere, and whether its hold was released before it was posted, as older versions
    // did.
    isForeign: row.is_foreign,
    isReleased: row.state !== 'pending' && !row.is_from_held && !row.is_foreign,
  }))
}

async function readCaptures(trx: Trx, userid: string) {
  const rows = trx.selectFrom('adopted_captures').selectAll().where('userid', '=', userid)
  return (await rows.orderBy('id').execute()).map(({ id, amount_minor: amount }) => ({ id, amount }))
}

async function readDisputes(trx: Trx, userid: string) {
  const rows = await trx
    .selectFrom('disputes')
    .leftJoin('payments', 'payments.id', 'payment_id')
    .selectAll('disputes')
    .select('invoice_id')
    .where('disputes.userid', '=', userid)
    .orderBy('opened_at')
    .orderBy('disputes.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    invoice: row.invoice_id,
    state: row.state,
    amount: row.amount_minor,
    withdrawn: row.withdrawn_minor,
    lost: row.lost_minor + row.lost_cash_minor,
  }))
}
