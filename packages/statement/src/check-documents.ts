import { requireThat } from './bad-statement.ts'
import type { Statement, StatementCardRefund, StatementInvoice, StatementTransaction } from './statement.ts'

/** Where the document of each kind of posting is; the others are about none of these. */
type Documents = 'invoices' | 'payments' | 'creditNotes' | 'cardRefunds' | 'captures' | 'disputes'
const documentOf: Readonly<Record<string, readonly Documents[]>> = {
  invoice: ['invoices'],
  void: ['invoices'],
  pay: ['invoices'],
  roll: ['invoices'],
  collect: ['invoices'],
  hold: ['payments', 'cardRefunds'],
  release: ['payments', 'cardRefunds'],
  late_capture: ['payments', 'captures'],
  credit_note: ['creditNotes'],
  card_refund: ['cardRefunds'],
  refund_returned: ['cardRefunds'],
  dispute: ['disputes'],
  dispute_lost: ['disputes'],
  dispute_returned: ['disputes'],
}

/** Every posting has its document, every document its posting, and both say the same. */
export function checkDocuments(statement: Statement): void {
  const { book, invoices, payments, creditNotes, cardRefunds = [], captures = [], disputes = [] } = statement
  const postings = new Map(book.transactions.map((transaction) => [transaction.key, transaction]))
  const ids = {
    invoices: new Set(invoices.map(({ id }) => id)),
    payments: new Set(payments.map(({ id }) => id)),
    creditNotes: new Set(creditNotes.map(({ id }) => id)),
    cardRefunds: new Set(cardRefunds.map(({ id }) => id)),
    captures: new Set(captures.map(({ id }) => id)),
    disputes: new Set(disputes.map(({ id }) => id)),
  }
  for (const [name, list] of Object.entries({ invoices, payments, creditNotes, cardRefunds, captures, disputes })) {
    requireThat(new Set(list.map(({ id }) => id)).size === list.length, () => `One of the ${name} is here twice.`)
  }
  for (const { seq, kind, document } of book.transactions) {
    const where = documentOf[kind]
    requireThat(
      where === undefined || where.some((name) => ids[name].has(document)),
      () => `Transaction ${seq} is about ${document}, which is missing.`,
    )
  }
  checkNumbers(invoices)
  for (const invoice of invoices) checkIssued(invoice, postings)
  for (const { id, invoice, balance, promo } of payments) {
    requireThat(ids.invoices.has(invoice), () => `The payment ${id} is of an invoice that is missing.`)
    const hold = postings.get(`${id} hold`)
    requireThat(
      moved(hold, 'cash') === balance && moved(hold, 'promo') === promo,
      () => `The payment ${id} is not what was set aside for it.`,
    )
  }
  for (const note of creditNotes) checkCredit(note, postings, statement)
  for (const refund of cardRefunds) checkCardRefund(refund, postings)
  for (const dispute of disputes) checkDispute(dispute, book.transactions)
  checkOwed(statement)
}

/** The amount that a posting moves on accounts whose name has this prefix. */
function moved(posting: StatementTransaction | undefined, account: string): number {
  const own = (posting?.entries ?? []).filter(({ account: name }) => name.startsWith(account))
  return own.reduce((sum, { amount }) => sum + amount, 0)
}

/** An account's invoices are numbered without gaps, from 1 in each series: one begins after each restore. */
function checkNumbers(invoices: readonly StatementInvoice[]): void {
  let last = { series: 0, count: 0 }
  for (const { number } of invoices) {
    const [, series = '0', count] = /(?:-R(\d+))?-(\d+)$/.exec(number) ?? []
    const own = { series: Number(series), count: Number(count) }
    const next = own.series > last.series ? 1 : last.count + 1
    requireThat(
      own.series >= last.series && own.count === next,
      () => `Invoice ${next} is missing: ${number} stands in its place.`,
    )
    last = own
  }
}

function checkIssued(invoice: StatementInvoice, postings: ReadonlyMap<string, StatementTransaction>): void {
  const { id, number, gross, discount, total, state, items } = invoice
  const issued = postings.get(`${id} issued`)
  requireThat(
    -moved(issued, 'revenue:') === gross &&
      moved(issued, 'discount') === discount &&
      moved(issued, 'receivable') === total,
    () => `${number} is not what was posted when it was issued.`,
  )
  for (const { revenue } of items) {
    const earned = items.reduce((sum, item) => sum + (item.revenue === revenue ? item.amount : 0), 0)
    requireThat(
      -moved(issued, `revenue:${revenue}`) === earned,
      () => `The lines of ${number} of ${revenue} are not what was posted.`,
    )
  }
  requireThat(
    (state === 'void') === postings.has(`${id} void`),
    () => `${number} is ${state}, and its postings do not say so.`,
  )
}

function checkCredit(
  { id, invoice: of, cash, promo, receivable, items }: Statement['creditNotes'][number],
  postings: ReadonlyMap<string, StatementTransaction>,
  { invoices, creditNotes }: Statement,
): void {
  const invoice = invoices.find((one) => one.id === of)
  requireThat(invoice !== undefined, () => `The credit note ${id} is to an invoice that is missing.`)
  const given = creditNotes.filter((note) => note.invoice === of).flatMap((note) => note.items)
  for (const { line } of items) {
    const item = invoice.items.find((one) => one.line === line)
    const back = given.filter((one) => one.line === line)
    const amount = back.reduce((sum, one) => sum + one.amount, 0)
    const discount = back.reduce((sum, one) => sum + one.discount, 0)
    requireThat(
      item !== undefined && amount <= item.amount && discount <= item.discount,
      () => `The credit note ${id} gives back more than line ${line} of ${invoice.number} cost.`,
    )
  }
  const net = items.reduce((sum, { amount, discount }) => sum + amount - discount, 0)
  const posted = postings.get(`${id} issued`)
  const moneyGiven = cash + promo + receivable
  requireThat(net === moneyGiven, () => `The credit note ${id} gives back ${moneyGiven} for ${net}.`)
  requireThat(
    -moved(posted, 'cash') === cash && -moved(posted, 'promo') === promo && -moved(posted, 'receivable') === receivable,
    () => `The credit note ${id} is not what was posted for it.`,
  )
}

/**
 * Set aside when it was asked for, unless it was made at the gateway; gone to the card when it is done, and back from
 * there when that failed later; and else the customer's again.
 */
function checkCardRefund(
  { id, state, amount, isForeign = false, isReleased = state !== 'pending' }: StatementCardRefund,
  postings: ReadonlyMap<string, StatementTransaction>,
): void {
  const isGone = state === 'done' || state === 'returned'
  requireThat(
    moved(postings.get(`${id} hold`), 'cash') === (isForeign ? 0 : amount) &&
      -moved(postings.get(`${id} refunded`), 'gateway:') === (isGone ? amount : 0) &&
      moved(postings.get(`${id} returned`), 'gateway:') === (state === 'returned' ? amount : 0) &&
      postings.has(`${id} release`) === (isReleased || state === 'declined'),
    () => `The refund ${id} to a card is ${state}, and its postings do not say so.`,
  )
}

/** The amount that a bank withheld of a payment is the amount that was posted. */
function checkDispute(
  { id, state, withdrawn, lost }: NonNullable<Statement['disputes']>[number],
  transactions: readonly StatementTransaction[],
): void {
  const own = transactions.filter(({ document }) => document === id)
  const sum = (account: string) => own.reduce((all, posting) => all + moved(posting, account), 0)
  requireThat(
    -sum('gateway:') === withdrawn && sum('disputed') === withdrawn - lost,
    () => `The dispute ${id} is ${state}, and its postings do not say so.`,
  )
}

/** Paid and void invoices are not owed any more; an open one is owed, less its deductions. */
function checkOwed({ book, invoices, creditNotes, disputes = [] }: Statement): void {
  const invoiceOf = new Map([...creditNotes, ...disputes].map(({ id, invoice }) => [id, invoice]))
  const owed = new Map<string, number>()
  for (const transaction of book.transactions) {
    const id = invoiceOf.get(transaction.document) ?? transaction.document
    owed.set(id, (owed.get(id) ?? 0) + moved(transaction, 'receivable'))
  }
  for (const { id, number, state } of invoices) {
    const left = owed.get(id) ?? 0
    const isSettled = state === 'paid' || state === 'void'
    requireThat(isSettled ? left === 0 : left >= 0, () => `${number} is ${state}, and ${left} of it is owed.`)
  }
}
