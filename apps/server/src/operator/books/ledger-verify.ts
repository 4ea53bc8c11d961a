/**
 * `npm run ledger:verify -- [who] [--gateway]`: checks the ledger from the first transaction of each book to its last,
 * or the book of one account, an ID or a DID; then invoices, payments and credit notes against what was posted; and
 * with `--gateway` that the gateway in use took, gave back and had taken from it what was posted: every difference is a
 * line. Reads only. Exit code 0 when it is whole, 1 when it is not, 2 when it could not be read.
 */
import type { Config } from '../../config.ts'
import { getUserid } from '../../modules/accounts/index.ts'
import { GatewaySilent, verifyCaptures, verifyDocuments } from '../../modules/billing/index.ts'
import { verifyLedger } from '../../modules/ledger/index.ts'
import { openGateway } from '../../modules/payments/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import type { Db } from '../../platform/db/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runVerb } from '../run-operator-command.ts'

const verb = {
  verb: 'ledger-verify',
  script: 'ledger:verify',
  takes: '[WHO] [--gateway]',
  words: 1,
  text: `Checks the ledger from the first transaction of each book to its last, or the book of one account, an ID or a DID; then
invoices, payments and credit notes against what was posted. Reads only.
  --gateway   also that the gateway in use took, gave back and had taken from it what was posted`,
  codes: 'it is whole; 1 it is not; 2 it could not be read.',
  options: { gateway: { type: 'boolean' } },
} as const

/** Asks the gateway that is configured about all that it was asked for. */
async function askGateway(config: Config, db: Db, userid: string | undefined) {
  const sealer = await checkSameKey(db, requireSecretKeys(config))
  const { gateway } = await openGateway({ db, clock: systemClock, sealer, config })
  try {
    return { name: gateway.name, ...(await verifyCaptures(db, gateway, userid)) }
  } catch (error) {
    if (error instanceof GatewaySilent) throw new OperatorError(error.message)
    throw error
  }
}

await runVerb(verb, async ({ config, log, values, positionals: [who] }) => {
  const keys = requireSecretKeys(config)
  const [verdict, document, captures] = await withOperatorDatabase(config, log, async ({ db }) => {
    const sealer = await checkSameKey(db, keys)
    const userid = who === undefined ? undefined : await getUserid(db, who)
    const verdict = await verifyLedger(db, { sealer, userid })
    // A ledger that is not whole bears nothing out.
    const document = verdict.whole ? await verifyDocuments(db, userid) : undefined
    const asks = values.gateway === true && verdict.whole && !document
    return [verdict, document, asks ? await askGateway(config, db, userid) : undefined] as const
  })
  if (!verdict.whole) {
    const line = `BROKEN at ${verdict.table} ${verdict.key.join(' ')}: ${verdict.problem}.`
    return { code: 1, data: verdict, lines: [line] }
  }
  const bad = document ? [document] : (captures?.differences ?? [])
  if (bad.length > 0) {
    const lines = bad.map(({ table, id, problem }) => `BROKEN at ${table} ${id}: ${problem}.`)
    return { code: 1, data: { ...verdict, whole: false, differences: bad }, lines }
  }
  const lines = [`Whole: ${verdict.transactions} transactions in ${verdict.books} books.`]
  if (captures) {
    const { payments, refunds, disputes, elsewhere } = captures.asked
    lines.push(
      `The gateway ${captures.name} says the same of ${payments} payments, ${refunds} refunds and ${disputes} disputes.`,
    )
    if (elsewhere > 0) lines.push(`Of ${elsewhere} payments it was not asked: another gateway charged them.`)
  }
  return { code: 0, data: { ...verdict, ...(captures && { gateway: captures.name, asked: captures.asked }) }, lines }
})
