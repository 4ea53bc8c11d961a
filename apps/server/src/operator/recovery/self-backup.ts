/**
 * `npm run backup:self [-- init]`: backs up database, settings, catalogue and outbox of the deployment with restic;
 * `init` makes the repository for it, `copy` copies a database of DATABASE_URL on the same server. May run while the
 * server runs. Exit code 0, or 2 when it could not be done.
 */
import type { Config } from '../../config.ts'
import { listErased } from '../../modules/rights/index.ts'
import {
  copyAsTemplate,
  databaseOf,
  findSettingsDir,
  initRepository,
  nameBeside,
  takeSelfBackup,
} from '../../modules/self-backup/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { connectionOf } from '../../platform/db/embedded/embedded.ts'
import { isRelease } from '../../platform/install.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { type Outcome, runVerb } from '../run-operator-command.ts'
import { repositoryOf } from './self-repository.ts'

const verb = {
  verb: 'backup',
  script: 'backup:self',
  takes: '[init]',
  words: 1,
  text: `Backs up database, settings, catalogue and outbox, while everything runs, to where the settings say.
  init     make that place, once`,
  codes: 'done; 2 it could not be.',
}

await runVerb(verb, async ({ config, log, positionals: [word] }) => {
  if (word === 'copy') return await copyBeside(config)
  if (word !== undefined && word !== 'init')
    throw new OperatorError('Name nothing, as all is backed up, or init: it makes the repository.')
  const to = repositoryOf(config)
  const { dataDir, catalogFile, secretKey, databaseUrl } = config
  const connection = databaseUrl === undefined ? connectionOf(dataDir) : { connectionString: databaseUrl }
  if (word === 'init') {
    const { id, isNew } = await withOperatorDatabase(config, log, ({ db }) => initRepository(db, to))
    const line = `${isNew ? 'Made' : 'Found'} the repository ${id.slice(0, 8)}: own backups go there from now on.`
    return { code: 0, data: { repository: id, isNew }, lines: [line] }
  }
  const { snapshotId, hasKey, leftovers } = await withOperatorDatabase(config, log, ({ db }) =>
    takeSelfBackup({
      db,
      clock: systemClock,
      connection,
      dataDir,
      catalogFile,
      secretKey,
      to,
      settingsDir: findSettingsDir(),
      listErased,
    }),
  )
  const lines = [
    ...leftovers,
    ...(hasKey
      ? []
      : ['The secret key is NOT in it, as ATOLL_SECRET_KEY gives it. Without a copy of it nothing comes back.']),
    `Backed up as ${snapshotId}. To prove that it can be brought back: ${isRelease ? 'atollctl backup verify' : 'npm run backup:verify-self'}`,
  ]
  return { code: 0, data: { snapshotId, hasKey, leftovers }, lines }
})

/** For an upgrade, while no role runs. */
async function copyBeside({ databaseUrl }: Config): Promise<Outcome> {
  if (databaseUrl === undefined) throw new OperatorError('An embedded database is copied with its folder.')
  const name = nameBeside(databaseOf(databaseUrl), 'copy', systemClock.now())
  await copyAsTemplate(databaseUrl, name)
  const lines = [`The database of now is kept as ${name}; dropdb removes it when it is not needed.`]
  return { code: 0, data: { copy: name }, lines }
}
