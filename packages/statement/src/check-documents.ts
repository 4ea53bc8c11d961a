import { requireThat } from './bad-statement.ts'
import type { Statement, StatementCardRefund, StatementInvoice, StatementTransaction } from './statement.ts'

/** Where the document of each kind of posting is; the others are about none of these. */
const documentOf: Readonly<Record<string, readonly ('invoices' | 'payments' | 'creditNotes' | 'cardRefunds')[]>> = {
  invoice: ['invoices'],
  void: ['invoices'],
  pay: ['invoices'],
  roll: ['invoices'],
  collect: ['invoices'],
  hold: ['payments', 'cardRefunds'],
  release: ['payments', 'cardRefunds'],
  late_capture: ['payments'],
  credit_note: ['creditNotes'],
  card_refund: ['cardRefunds'],
}

/** Every posting has its document, every document its posting, and both say the same. */
export function checkDocuments(statement: Statement): void {
  const { book, invoices, payments, creditNotes, cardRefunds = [] } = statement
  const postings = new Map(book.transactions.map((transaction) => [transaction.key, transaction]))
  const ids = {
    invoices: new Set(invoices.map(({ id }) => id)),
    payments: new Set(payments.map(({ id }) => id)),
    creditNotes: new Set(creditNotes.map(({ id }) => id)),
    cardRefunds: new Set(cardRefunds.map(({ id }) => id)),
  }
  for (const [name, list] of Object.entries({ invoices, payments, creditNotes, cardRefunds })) {
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
  checkOwed(statement)
}

/** What a posting moves on the accounts whose name begins so. */
function moved(posting: StatementTransaction | undefined, account: string): number {
  const own = (posting?.entries ?? []).filter(({ account: name }) => name.startsWith(account))
  return own.reduce((sum, { amount }) => sum + amount, 0)
}

/** An account's invoices are numbered without gaps. */
function checkNumbers(invoices: readonly StatementInvoice[]): void {
  for (const [index, { number }] of invoices.entries()) {
    const count = Number(/-(\d+)$/.exec(number)?.[1])
    requireThat(count === index + 1, () => `Invoice ${index + 1} is missing: ${number} stands in its place.`)
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
  { invoices }: Statement,
): void {
  const invoice = invoices.find((one) => one.id === of)
  requireThat(invoice !== undefined, () => `The credit note ${id} is to an invoice that is missing.`)
  for (const { line, amount, discount } of items) {
    const item = invoice.items.find((one) => one.line === line)
    requireThat(
      item !== undefined && amount <= item.amount && discount <= item.discount,
      () => `The credit note ${id} gives back more than line ${line} of ${invoice.number} cost.`,
    )
  }
  const net = items.reduce((sum, { amount, discount }) => sum + amount - discount, 0)
  const posted = postings.get(`${id} issued`)
  const given = cash + promo + receivable
  requireThat(net === given, () => `The credit note ${id} gives back ${given} for ${net}.`)
  requireThat(
    -moved(posted, 'cash') === cash && -moved(posted, 'promo') === promo && -moved(posted, 'receivable') === receivable,
    () => `The credit note ${id} is not what was posted for it.`,
  )
}

/** Set aside when it was asked for; gone to the card when it is done, and else the customer's again. */
function checkCardRefund(
  { id, state, amount }: StatementCardRefund,
  postings: ReadonlyMap<string, StatementTransaction>,
): void {
  requireThat(
    moved(postings.get(`${id} hold`), 'cash') === amount &&
      -moved(postings.get(`${id} refunded`), 'gateway:') === (state === 'done' ? amount : 0) &&
      postings.has(`${id} release`) === (state !== 'pending'),
    () => `The refund ${id} to a card is ${state}, and its postings do not say so.`,
  )
}

/** What is paid or void is not owed any more; what is open is owed, less what was taken off it. */
function checkOwed({ book, invoices, creditNotes }: Statement): void {
  const invoiceOf = new Map(creditNotes.map(({ id, invoice }) => [id, invoice]))
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
