/**
 * `npm run audit:verify [-- --head <number>:<hash>]`: checks the audit log from its first record to its last. Exit
 * code 0 when it is whole, 1 when it is not, 2 when it could not be read.
 */
import { parseArgs } from 'node:util'
import { verifyAudit } from '../../modules/audit/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { requireSecretKeys } from '../../platform/secret-key.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runOperatorCommand, say } from '../run-operator-command.ts'

/** Reads `--head 42:9f86…`, as the server's log and this command write it. */
function readHead(args: string[]): { seq: number; hash: string } | undefined {
  const { head } = parseArgs({ args, options: { head: { type: 'string' } } }).values
  if (head === undefined) return undefined
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(head) ?? []
  if (seq === undefined || hash === undefined) throw new OperatorError('--head is not <number>:<64 hex characters>.')
  return { seq: Number(seq), hash }
}

await runOperatorCommand(async ({ config, log }) => {
  const known = readHead(process.argv.slice(2))
  const keys = requireSecretKeys(config)
  const verdict = await withOperatorDatabase(config, log, async ({ db }) => {
    return await verifyAudit(db, { sealer: await checkSameKey(db, keys), known })
  })
  if (!verdict.whole) {
    say(`BROKEN at record ${verdict.seq}: ${verdict.problem}.`)
    return 1
  }
  const erased = verdict.erased > 0 ? `, ${verdict.erased} of them erased` : ''
  say(
    `Whole: ${verdict.records} records${erased}, sealed up to ${verdict.sealedTo}. Head ${verdict.records}:${verdict.hash}`,
  )
  return 0
})
