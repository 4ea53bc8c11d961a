import { currencies } from '@atoll/money'
import { createChainWalk, readSeals } from '../../platform/chain/index.ts'
import type { Sealer } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db/index.ts'
import { type ChainedEntry, type ChainedTransaction, firstHashOf, hashOf, sealedChains } from './ledger-chain.ts'
import { type BookRow, listBalances, listEntries, listSeals, listTransactions } from './verify-rows.ts'

/** The first row that is not as it was written: its table, its key there, and why, in words. */
export interface BadRow {
  table: 'ledger_books' | 'ledger_transactions' | 'ledger_entries' | 'ledger_balances' | 'ledger_seals'
  key: readonly (string | number)[]
  problem: string
}

const batch = 1000

/**
 * Reads one book from its first transaction to its last: seals, lines, balances after each, sums, the chain, its end,
 * the balances. Answers the bad row that comes first, or how much there is.
 */
export async function verifyBook(
  db: Db,
  sealer: Sealer,
  book: BookRow,
): Promise<{ bad: BadRow } | { bad: undefined; transactions: number }> {
  const { userid } = book
  const seals = await listSeals(db, userid)
  const read = await readSeals(db, sealer, seals, ({ at }) => sealedChains(book, at))
  const forged = read.find(({ chain }) => chain === undefined)?.seal
  if (forged) {
    const problem = `the seal on transaction ${forged.seq} was not made with this deployment's key`
    return { bad: { table: 'ledger_seals', key: [userid, forged.seq], problem } }
  }

  const misopened = findMisopened(book)
  if (misopened) return { bad: { table: 'ledger_books', key: [userid], problem: misopened } }
  const walk = createChainWalk('transaction', { first: book.first_hash, marks: seals })
  const balances = new Map<string, number>()
  for (let after: number | undefined; ; after = walk.last.seq) {
    const transactions = await listTransactions(db, userid, { after, limit: batch })
    const isLast = transactions.length < batch
    const entries = Map.groupBy(
      await listEntries(db, userid, { after, to: isLast ? undefined : transactions.at(-1)?.seq }),
      ({ seq }) => seq,
    )
    for (const transaction of transactions) {
      const own = entries.get(transaction.seq) ?? []
      entries.delete(transaction.seq)
      if (transaction.seq === walk.last.seq + 1) {
        const bad = findBadEntry(userid, transaction, own, balances)
        if (bad) return { bad }
      }
      const broken = walk.take(transaction, hashOf(walk.last.hash, transaction, own))
      if (broken) {
        return { bad: { table: 'ledger_transactions', key: [userid, broken.seq], problem: broken.problem } }
      }
    }
    const [stray] = [...entries.values()].flat()
    if (stray) return { bad: badEntry(userid, stray, 'its transaction does not exist') }
    if (isLast) break
  }

  const broken = walk.end(book)
  if (broken) return { bad: { table: 'ledger_books', key: [userid], problem: broken.problem } }
  const bad = findBadBalance(userid, balances, await listBalances(db, userid))
  return bad ? { bad } : { bad: undefined, transactions: walk.last.seq }
}

/** Adds the entries to `balances` while they are as they should be. */
function findBadEntry(
  book: string,
  transaction: ChainedTransaction,
  entries: readonly ChainedEntry[],
  balances: Map<string, number>,
): BadRow | undefined {
  let sum = 0
  for (const [index, entry] of entries.entries()) {
    const { line, account, amount_minor: amount, balance_after: shown } = entry
    const expected = index + 1
    if (line > expected) return badEntry(book, { ...entry, line: expected }, `it is missing: ${line} stands there`)
    if (line < expected) return badEntry(book, entry, `it stands where ${expected} was written`)
    const balance = (balances.get(account) ?? 0) + amount
    if (balance !== shown) {
      return badEntry(book, entry, `with ${amount} on ${account} the balance is ${balance}, and not ${shown}`)
    }
    balances.set(account, balance)
    sum += amount
  }
  if (sum === 0 && entries.length > 0) return undefined
  const problem = entries.length > 0 ? `its entries add up to ${sum}, not to zero` : 'it has no entries'
  return { table: 'ledger_transactions', key: [book, transaction.seq], problem }
}

function badEntry(book: string, { seq, line }: ChainedEntry, problem: string): BadRow {
  return { table: 'ledger_entries', key: [book, seq, line], problem }
}

/** A book is opened with a hash over its account and currency; of an erased account the DID is not known any more. */
function findMisopened({ userid, did, currency, first_hash: first, is_erased }: BookRow): string | undefined {
  const accounts = [userid, ...(did === null ? [] : [did])]
  const isOf = (one: string) => accounts.some((account) => firstHashOf(account, one) === first)
  if (isOf(currency)) return undefined
  if (currencies.some(isOf)) return `the book was not opened in ${currency}`
  return is_erased ? undefined : 'the book was not opened for this account'
}

function findBadBalance(
  book: string,
  expected: ReadonlyMap<string, number>,
  shown: readonly { account: string; balance: number }[],
): BadRow | undefined {
  const bad = (account: string, problem: string): BadRow => ({
    table: 'ledger_balances',
    key: [book, account],
    problem,
  })
  for (const { account, balance } of shown) {
    const sum = expected.get(account)
    if (sum === undefined) return bad(account, 'nothing was ever posted on this account')
    if (sum !== balance) return bad(account, `the entries add up to ${sum}, and not to ${balance}`)
  }
  const accounts = new Set(shown.map(({ account }) => account))
  const missing = [...expected.keys()].find((account) => !accounts.has(account))
  return missing === undefined ? undefined : bad(missing, 'the balance is missing')
}
