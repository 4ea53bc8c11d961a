/**
 * `npm run backup:restore-self [-- --snapshot ID] [--instances DIR]`: makes a deployment in the empty ATOLL_DATA_DIR
 * from its own backup. With DATABASE_URL, `[--snapshot ID | --dump FILE]` fills a new database there and `--swap` puts
 * it in the place of the one in use, after a question. `--ask` only asks, for `atollctl`, which stops the roles between
 * the two. The deployment is careful from then on.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { reindexBackups } from '../../modules/backups/index.ts'
import { hasInstanceProcess } from '../../modules/compute/index.ts'
import { restoreSelf } from '../../modules/self-backup/index.ts'
import { beCareful } from '../../platform/careful/index.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/crypto.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import type { Db } from '../../platform/db/index.ts'
import { isRelease } from '../../platform/install.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { openDatabase } from '../../start/database.ts'
import { agrees } from '../agrees.ts'
import { type Outcome, runVerb, say } from '../run-operator-command.ts'
import { describeSwap, prepareRestore, swapRestored } from './restore-on-server.ts'
import { repositoryOf } from './self-repository.ts'
import { tellReindexed } from './tell-reindexed.ts'

const verb = {
  verb: 'restore',
  script: 'backup:restore-self',
  takes: '[--snapshot ID | --dump FILE] [--swap] [--yes]',
  text: isRelease
    ? `Fills a new database while everything runs, makes it careful and says what is about to happen. Once you agree, the
roles stop for some seconds and it takes the place of the one in use, which is kept.
  --snapshot   another backup than the newest
  --dump       a file of pg_dump --format=custom instead
  --swap       fill nothing: put in place what an earlier restore has filled
  --yes        do not ask`
    : `Makes a deployment in the empty ATOLL_DATA_DIR from its own backup. With DATABASE_URL it fills a new database there, and
--swap puts that in the place of the one in use, once you agree.
  --snapshot   another backup than the newest
  --instances  the folder that had the homes of instances of process
  --dump       a file of pg_dump --format=custom instead
  --yes        do not ask`,
  codes: 'done; 1 you did not agree, and what was filled waits for --swap; 2 it could not be done.',
  options: {
    snapshot: { type: 'string' },
    instances: { type: 'string' },
    dump: { type: 'string' },
    swap: { type: 'boolean' },
    ask: { type: 'boolean' },
    yes: { type: 'boolean' },
  },
} as const

await runVerb(verb, async ({ config, log, values }) => {
  const { snapshot: named, instances, dump: file, swap = false, ask = false, yes = false } = values
  if (swap && (named ?? file) !== undefined)
    throw new OperatorError('--swap puts in place what an earlier restore has filled: name no backup and no dump here.')
  const snapshot = named ?? 'latest'
  if (config.databaseUrl !== undefined) {
    if (instances !== undefined) throw new OperatorError('--instances is for an embedded database.')
    if (!(swap || ask)) return done(await prepareRestore(config, config.databaseUrl, { snapshot, file, log }))
    if (!yes || ask) for (const line of await describeSwap(config, config.databaseUrl)) say(line)
    if (!yes && !(await agrees('Put it in place? [y/N] ')))
      return { code: 1, data: { swapped: false }, lines: ['It waits: run this again with --swap, or with --yes too.'] }
    return done(swap && !ask ? await swapRestored(config, config.databaseUrl) : {})
  }
  if (swap || file !== undefined) throw new OperatorError('--dump and --swap are for a database of DATABASE_URL.')
  const from = repositoryOf(config)
  const { dataDir, vaultDir, vaultBucket } = config
  const vault = vaultBucket?.bucket ?? vaultDir
  const manifest = await restoreSelf({ from, snapshot, dataDir, instances, isInUse: hasInstanceProcess })
  say(`Brought back what was backed up at ${manifest.takenAt}.`)
  // A version newer than the backup's brings the database up to date here.
  const database = await openDatabase(config, log)
  try {
    await beCareful(database.db, `restored from its backup of ${manifest.takenAt}`, systemClock.now())
    const sealer = await findKey(database.db, config)
    if (!(vaultBucket || existsSync(vaultDir)))
      say(`There is no vault at ${vault}: customers' backups are not in this one.`)
    else if (!sealer) say(`The vault ${vault} was not read: with the key at hand, run npm run vault:reindex.`)
    else {
      say(`The vault ${vault}:`)
      tellReindexed(await reindexBackups({ db: database.db, place: config, sealer, now: systemClock.now() }))
    }
  } finally {
    await database.close()
    await database.stopServer()
  }
  if (manifest.folderId !== null && instances === undefined) {
    say('Instances of process are not in this backup: their clusters wait until their folder is brought back.')
  }
  say('Start the server. No money moves and strays are only listed until: npm run admin -- resume')
  return done({ takenAt: manifest.takenAt })
})

function done(data: object): Outcome {
  return { code: 0, data, lines: [] }
}

/** The key of the deployment that was lost; undefined: it is not at hand, which is said. */
async function findKey(db: Db, config: Config): Promise<Sealer | undefined> {
  const { secretKey, dataDir } = config
  const isInside = existsSync(join(dataDir, 'secret.key'))
  if (!isInside) say('The secret key is NOT in this backup: start with the ATOLL_SECRET_KEY that the deployment had.')
  if (!isInside && secretKey === undefined) return undefined
  const keys = requireSecretKeys({ secretKey, dataDir })
  try {
    return await checkSameKey(db, keys)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    say(`The secret key at hand is NOT that of this backup: ${error.message}`)
    return undefined
  }
}
