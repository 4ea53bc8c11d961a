/**
 * `npm run backup:self [-- init]`: backs up database, settings, catalogue and outbox of the deployment with restic;
 * `init` makes the repository for it, `copy` copies a database of DATABASE_URL on the same server. May run while the
 * server runs. Exit code 0, or 2 when it could not be done.
 */
import type { Config } from '../../config.ts'
import {
  copyAsTemplate,
  databaseOf,
  findSettingsDir,
  initRepository,
  nameBeside,
  takeSelfBackup,
} from '../../modules/self-backup/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { connectionOf } from '../../platform/db/embedded.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runOperatorCommand, say } from '../run-operator-command.ts'
import { repositoryOf } from './self-repository.ts'

await runOperatorCommand(async ({ config, log }) => {
  const [word, ...more] = process.argv.slice(2)
  if (word === 'copy' && more.length === 0) return await copyBeside(config)
  if (more.length > 0 || (word !== undefined && word !== 'init'))
    throw new OperatorError('Name nothing, as all is backed up, or init: it makes the repository.')
  const to = repositoryOf(config)
  const { dataDir, catalogFile, secretKey, databaseUrl } = config
  const connection = databaseUrl === undefined ? connectionOf(dataDir) : { connectionString: databaseUrl }
  if (word === 'init') {
    const { id, isNew } = await withOperatorDatabase(config, log, ({ db }) => initRepository(db, to))
    say(`${isNew ? 'Made' : 'Found'} the repository ${id.slice(0, 8)}: own backups go there from now on.`)
    return 0
  }
  const { snapshotId, hasKey } = await withOperatorDatabase(config, log, ({ db }) =>
    takeSelfBackup({
      ...{ db, clock: systemClock, connection, dataDir, catalogFile, secretKey, to },
      settingsDir: findSettingsDir(),
    }),
  )
  if (!hasKey)
    say('The secret key is NOT in it, as ATOLL_SECRET_KEY gives it. Without a copy of it nothing comes back.')
  say(`Backed up as ${snapshotId}. To prove that it can be brought back: npm run backup:verify-self`)
  return 0
})

/** For an upgrade, while no role runs. */
async function copyBeside({ databaseUrl }: Config): Promise<number> {
  if (databaseUrl === undefined) throw new OperatorError('An embedded database is copied with its folder.')
  const name = nameBeside(databaseOf(databaseUrl), 'copy', systemClock.now())
  await copyAsTemplate(databaseUrl, name)
  say(`The database of now is kept as ${name}; dropdb removes it when it is not needed.`)
  return 0
}
