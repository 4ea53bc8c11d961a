/**
 * `npm run vault:reindex`: makes rows of the files in the vault that have none, and with them the plans and snapshots
 * that the database does not know. May run beside the server, and again. Exit code 0; 1 when something was found that
 * got no row; 2 when it could not be done.
 */
import { reindexBackups } from '../../modules/backups/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { requireSecretKeys } from '../../platform/secret-key.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runOperatorCommand } from '../run-operator-command.ts'
import { tellReindexed } from './tell-reindexed.ts'

await runOperatorCommand(async ({ config, log }) => {
  if (process.argv.length > 2) throw new OperatorError('Name nothing: the whole vault is read.')
  const keys = requireSecretKeys(config)
  const found = await withOperatorDatabase(config, log, async ({ db }) => {
    const sealer = await checkSameKey(db, keys)
    return await reindexBackups({ db, place: config, sealer, now: systemClock.now() })
  })
  return tellReindexed(found) ? 0 : 1
})
