import { requireThat, requireWhole } from './bad-statement.ts'
import type { Statement, StatementTransaction } from './statement.ts'
import type { StatementCrypto } from './statement-crypto.ts'

/** A field as its length in bytes, a colon, the text, a comma: no two lists of fields read the same. */
function field(value: string): string {
  return `${new TextEncoder().encode(value).length}:${value},`
}

/** Hashes and adds the whole book again, from its first transaction to its last. */
export function checkBook({ sha256 }: Pick<StatementCrypto, 'sha256'>, statement: Statement): void {
  const { account, accountId, currency, book } = statement
  const hashOf = (fields: readonly string[]) => sha256(fields.map(field).join(''))
  const balances = new Map<string, number>()
  const keys = new Set<string>()
  const openings = [account, ...(accountId === undefined ? [] : [accountId])].map((one) => hashOf([one, currency]))
  let last = book.first ?? hashOf([account, currency])
  requireThat(openings.includes(last), () => 'The book was opened for another account or in another currency.')
  for (const [index, transaction] of book.transactions.entries()) {
    const { seq, at, recordedAt, kind, document, key, entries } = transaction
    requireThat(seq === index + 1, () => `Transaction ${index + 1} is missing: ${seq} stands in its place.`)
    requireThat(!keys.has(key), () => `Transaction ${seq} repeats an earlier one.`)
    keys.add(key)
    addEntries(transaction, balances)
    const lines = entries.flatMap(({ line, account: name, amount, balance }) => [
      ...[String(line), name, String(amount), String(balance)],
    ])
    const hash = hashOf([last, String(seq), at, recordedAt, kind, document, key, ...lines])
    requireThat(hash === transaction.hash, () => `Transaction ${seq} is not what was chained.`)
    last = hash
  }
  const { length } = book.transactions
  requireThat(book.seq === length, () => `The book ends with ${book.seq}, and ${length} transactions are here.`)
  requireThat(book.hash === last, () => 'The end of the book is not the hash of its last transaction.')
}

function addEntries({ seq, entries }: StatementTransaction, balances: Map<string, number>): void {
  let sum = 0
  for (const [index, { line, account, amount, balance }] of entries.entries()) {
    const what = `Entry ${index + 1} of transaction ${seq}`
    requireThat(line === index + 1, () => `${what} is missing.`)
    requireWhole(amount, `The amount of entry ${line} of transaction ${seq}`)
    const after = (balances.get(account) ?? 0) + amount
    requireThat(after === balance, () => `${what} leaves ${after} on ${account}, and not ${balance}.`)
    balances.set(account, after)
    sum += amount
  }
  requireThat(sum === 0 && entries.length > 0, () => `The entries of transaction ${seq} add up to ${sum}, not to zero.`)
}
