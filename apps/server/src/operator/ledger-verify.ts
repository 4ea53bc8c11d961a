/**
 * `npm run ledger:verify [who]`: checks the ledger from the first transaction of each book to its last, or the book of
 * one account, an ID or a DID; then invoices, payments and credit notes against what was posted. Reads only. Exit code 0 when it is whole, 1 when it is not, 2 when it could not be read.
 */
import { parseArgs } from 'node:util'
import { getUserid } from '../modules/accounts/index.ts'
import { verifyDocuments } from '../modules/billing/index.ts'
import { verifyLedger } from '../modules/ledger/index.ts'
import { createSealer } from '../platform/crypto.ts'
import { checkSameKey } from '../platform/key-guard.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { requireSecretKey } from '../platform/secret-key.ts'
import { withOperatorDatabase } from '../start/operator-database.ts'
import { runOperatorCommand, say } from './run-operator-command.ts'

/** The one account that is named, if any. */
function readWho(args: string[]): string | undefined {
  let named: string[]
  try {
    named = parseArgs({ args, allowPositionals: true }).positionals
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error))
  }
  if (named.length > 1) throw new OperatorError('Name one account, or none for all.')
  return named[0]
}

await runOperatorCommand(async ({ config, log }) => {
  const who = readWho(process.argv.slice(2))
  const key = requireSecretKey(config)
  const [verdict, document] = await withOperatorDatabase(config, log, async ({ db, pool }) => {
    await checkSameKey(pool, key)
    const userid = who === undefined ? undefined : await getUserid(db, who)
    const verdict = await verifyLedger(db, { sealer: createSealer(key), userid })
    // A ledger that is not whole bears nothing out.
    return [verdict, verdict.whole ? await verifyDocuments(db, userid) : undefined] as const
  })
  if (!verdict.whole) {
    say(`BROKEN at ${verdict.table} ${verdict.key.join(' ')}: ${verdict.problem}.`)
    return 1
  }
  if (document) {
    say(`BROKEN at ${document.table} ${document.id}: ${document.problem}.`)
    return 1
  }
  say(`Whole: ${verdict.transactions} transactions in ${verdict.books} books.`)
  return 0
})
