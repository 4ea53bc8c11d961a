/**
 * `npm run audit:verify [-- --head <number>:<hash>]`: checks the audit log from its first record to its last. Exit
 * code 0 when it is whole, 1 when it is not, 2 when it could not be read.
 */
import { verifyAudit } from '../../modules/audit/index.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runVerb } from '../run-operator-command.ts'

const verb = {
  verb: 'audit-verify',
  script: 'audit:verify',
  takes: '[--head NUMBER:HASH]',
  text: `Checks the audit log from its first record to its last. Reads only.
  --head   a record that was there once, as the server's log and this command name it`,
  codes: 'it is whole; 1 it is not; 2 it could not be read.',
  options: { head: { type: 'string' } },
} as const

/** Reads `42:9f86…`, as the server's log and this command write it. */
function readHead(head: string | undefined): { seq: number; hash: string } | undefined {
  if (head === undefined) return undefined
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(head) ?? []
  if (seq === undefined || hash === undefined) throw new OperatorError('--head is not <number>:<64 hex characters>.')
  return { seq: Number(seq), hash }
}

await runVerb(verb, async ({ config, log, values }) => {
  const known = readHead(values.head)
  const keys = requireSecretKeys(config)
  const verdict = await withOperatorDatabase(config, log, async ({ db }) => {
    return await verifyAudit(db, { sealer: await checkSameKey(db, keys), known })
  })
  if (!verdict.whole) return { code: 1, data: verdict, lines: [`BROKEN at record ${verdict.seq}: ${verdict.problem}.`] }
  const erased = verdict.erased > 0 ? `, ${verdict.erased} of them erased` : ''
  const { records, sealedTo, hash } = verdict
  const line = `Whole: ${records} records${erased}, sealed up to ${sealedTo}. Head ${records}:${hash}`
  return { code: 0, data: verdict, lines: [line] }
})
