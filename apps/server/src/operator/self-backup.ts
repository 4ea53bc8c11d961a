/**
 * `npm run backup:self [-- init]`: backs up database, key, catalogue and outbox of the deployment of ATOLL_DATA_DIR with
 * restic; `init` makes the repository for it. May run beside the server. Exit code 0, or 2 when it could not be done.
 */
import { initRepository, takeSelfBackup } from '../modules/self-backup/index.ts'
import { systemClock } from '../platform/clock.ts'
import { connectionOf } from '../platform/db/embedded.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { withOperatorDatabase } from '../start/operator-database.ts'
import { runOperatorCommand, say } from './run-operator-command.ts'
import { repositoryOf } from './self-repository.ts'

await runOperatorCommand(async ({ config, log }) => {
  const [word, ...more] = process.argv.slice(2)
  if (more.length > 0 || (word !== undefined && word !== 'init'))
    throw new OperatorError('Name nothing, as all is backed up, or init: it makes the repository.')
  const to = repositoryOf(config)
  if (config.databaseUrl !== undefined) {
    throw new OperatorError(
      'The database of DATABASE_URL is yours to back up, with pg_dump or point-in-time recovery; and with it the key, the catalogue and the vault.',
    )
  }
  const { dataDir, catalogFile } = config
  if (word === 'init') {
    const { id, isNew } = await withOperatorDatabase(config, log, ({ db }) => initRepository(db, to))
    say(`${isNew ? 'Made' : 'Found'} the repository ${id.slice(0, 8)}: own backups go there from now on.`)
    return 0
  }
  const { snapshotId, hasKey } = await withOperatorDatabase(config, log, ({ db }) =>
    takeSelfBackup({ db, clock: systemClock, connection: connectionOf(dataDir), dataDir, catalogFile, to }),
  )
  if (!hasKey)
    say('The secret key is NOT in it, as ATOLL_SECRET_KEY gives it. Without a copy of it nothing comes back.')
  say(`Backed up as ${snapshotId}. To prove that it can be brought back: npm run backup:verify-self`)
  return 0
})
