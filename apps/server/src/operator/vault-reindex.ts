/**
 * `npm run vault:reindex`: makes rows of the files in the vault that have none, and with them the plans and snapshots
 * that the database does not know. May run beside the server, and again. Exit code 0; 1 when something was found that
 * got no row; 2 when it could not be done.
 */
import { reindexBackups } from '../modules/backups/index.ts'
import { systemClock } from '../platform/clock.ts'
import { createSealer } from '../platform/crypto.ts'
import { checkSameKey } from '../platform/key-guard.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { requireSecretKey } from '../platform/secret-key.ts'
import { withOperatorDatabase } from '../start/operator-database.ts'
import { runOperatorCommand } from './run-operator-command.ts'
import { tellReindexed } from './tell-reindexed.ts'

await runOperatorCommand(async ({ config, log }) => {
  if (process.argv.length > 2) throw new OperatorError('Name nothing: the whole vault is read.')
  const key = requireSecretKey(config)
  const found = await withOperatorDatabase(config, log, async ({ db, pool }) => {
    await checkSameKey(pool, key)
    return await reindexBackups({ db, place: config, sealer: createSealer(key), now: systemClock.now() })
  })
  return tellReindexed(found) ? 0 : 1
})
