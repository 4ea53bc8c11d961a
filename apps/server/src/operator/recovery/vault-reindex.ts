/**
 * `npm run vault:reindex`: makes rows of the files in the vault that have none, and with them the plans and snapshots
 * that the database does not know. May run beside the server, and again. Exit code 0; 1 when something was found that
 * got no row; 2 when it could not be done.
 */
import { reindexBackups } from '../../modules/backups/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runVerb } from '../run-operator-command.ts'
import { tellReindexed } from './tell-reindexed.ts'

const verb = {
  verb: 'vault-reindex',
  script: 'vault:reindex',
  text: 'Makes rows of the files in the vault that have none, with the plans and snapshots that are missing. May be repeated.',
  codes: 'all of it has rows; 1 something was found that got none; 2 it could not be done.',
}

await runVerb(verb, async ({ config, log }) => {
  const keys = requireSecretKeys(config)
  const found = await withOperatorDatabase(config, log, async ({ db }) => {
    const sealer = await checkSameKey(db, keys)
    return await reindexBackups({ db, place: config, sealer, now: systemClock.now() })
  })
  return { code: tellReindexed(found) ? 0 : 1, data: found, lines: [] }
})
