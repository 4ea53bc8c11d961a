/**
 * `npm run backup:restore-self [-- --snapshot ID] [--instances DIR]`: makes a deployment in the empty ATOLL_DATA_DIR
 * from its own backup. It is careful from then on. Exit code 0, or 2 when it could not be done.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { hasInstanceProcess } from '../modules/compute/index.ts'
import { restoreSelf } from '../modules/self-backup/index.ts'
import { reindexVault } from '../modules/vault/index.ts'
import { beCareful } from '../platform/careful.ts'
import { systemClock } from '../platform/clock.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { openDatabase } from '../start/database.ts'
import { runOperatorCommand, say } from './run-operator-command.ts'
import { repositoryOf } from './self-repository.ts'

await runOperatorCommand(async ({ config, log }) => {
  const options = { snapshot: { type: 'string', default: 'latest' }, instances: { type: 'string' } } as const
  const { snapshot, instances } = parseArgs({ options }).values
  const from = repositoryOf(config)
  if (config.databaseUrl !== undefined) {
    throw new OperatorError('The database of DATABASE_URL is yours to bring back: this command makes an embedded one.')
  }
  const { dataDir, vaultDir, vaultBucket } = config
  const vault = vaultBucket?.bucket ?? vaultDir
  const manifest = await restoreSelf({ from, snapshot, dataDir, instances, isInUse: hasInstanceProcess })
  say(`Brought back what was backed up at ${manifest.takenAt}.`)
  // A version newer than the backup's brings the database up to date here.
  const database = await openDatabase(config, log)
  try {
    await beCareful(database.db, systemClock.now())
    if (vaultBucket || existsSync(vaultDir)) {
      const found = await reindexVault({ db: database.db, place: config, now: systemClock.now() })
      say(`The vault ${vault}: ${found.added} files that the backup did not know were taken in.`)
      for (const path of found.damaged) say(`DAMAGED ${path}: it is not what its name says, and got no row.`)
      for (const id of found.unknown) say(`UNKNOWN ${id}: no repository has this id; whose it is, is not known.`)
    } else say(`There is no vault at ${vault}: customers' backups are not in this one.`)
  } finally {
    await database.close()
    await database.stopServer()
  }
  if (manifest.folderId !== null && instances === undefined) {
    say('Instances of process are not in this backup: their clusters wait until their folder is brought back.')
  }
  say('Start the server. No money moves and strays are only listed until: npm run admin -- resume')
  return 0
})
