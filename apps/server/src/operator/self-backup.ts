/**
 * `npm run backup:self`: backs up database, key, catalogue and outbox of the deployment of ATOLL_DATA_DIR with restic.
 * May run beside the server. Exit code 0, or 2 when it could not be done.
 */
import { takeSelfBackup } from '../modules/self-backup/index.ts'
import { systemClock } from '../platform/clock.ts'
import { connectionOf } from '../platform/db/embedded.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { withOperatorDatabase } from '../start/operator-database.ts'
import { runOperatorCommand, say } from './run-operator-command.ts'
import { repositoryOf } from './self-repository.ts'

await runOperatorCommand(async ({ config, log }) => {
  if (process.argv.length > 2) throw new OperatorError('Name nothing: all is backed up.')
  const to = repositoryOf(config)
  if (config.databaseUrl !== undefined) {
    throw new OperatorError(
      'The database of DATABASE_URL is yours to back up, with pg_dump or point-in-time recovery; and with it the key, the catalogue and the vault.',
    )
  }
  const { dataDir, catalogFile } = config
  const { snapshotId } = await withOperatorDatabase(config, log, ({ db }) =>
    takeSelfBackup({ db, clock: systemClock, connection: connectionOf(dataDir), dataDir, catalogFile, to }),
  )
  say(`Backed up as ${snapshotId}. To prove that it can be brought back: npm run backup:verify-self`)
  return 0
})
