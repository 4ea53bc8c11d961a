import { requireThat } from './bad-statement.ts'
import type { Statement } from './statement.ts'

/** The newer one holds all that the older one held: the same chain up to there, and the same documents. */
export function checkExtends(newer: Statement, older: Statement): void {
  requireThat(newer.account === older.account, () => 'The older statement is of another account.')
  requireThat(newer.currency === older.currency, () => 'The older statement is in another currency.')
  requireThat(
    newer.accountId === (older.accountId ?? newer.accountId) &&
      newer.book.first === (older.book.first ?? newer.book.first),
    () => 'The older statement is of another book.',
  )
  requireThat(
    older.book.seq <= newer.book.seq,
    () => `The older statement goes on to transaction ${older.book.seq}, this one ends with ${newer.book.seq}.`,
  )
  for (const [index, { seq, hash }] of older.book.transactions.entries()) {
    requireThat(
      newer.book.transactions[index]?.hash === hash,
      () => `Transaction ${seq} is not the one of the older statement.`,
    )
  }
  const invoices = new Map(newer.invoices.map((invoice) => [invoice.id, frozen(invoice)]))
  for (const invoice of older.invoices) {
    requireThat(
      invoices.get(invoice.id) === frozen(invoice),
      () => `${invoice.number} is not what it was in the older statement.`,
    )
  }
}

/** An invoice without how it fares, which alone may change. */
function frozen({ state: _, ...invoice }: Statement['invoices'][number]): string {
  return JSON.stringify(invoice)
}
