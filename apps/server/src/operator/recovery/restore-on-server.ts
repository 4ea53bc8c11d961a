/**
 * A deployment brought back on the server of DATABASE_URL. Two steps, since only the second needs the roles stopped: a
 * new database is filled, brought up to date and made careful; then, once the operator agreed, it takes the name of the
 * one in use, which is kept. Killed before its end, the first leaves a database that the next restore removes; killed
 * after it, one that waits.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { reindexBackups } from '../../modules/backups/index.ts'
import {
  bringErased,
  createEmpty,
  type DumpSource,
  databaseOf,
  dropDatabase,
  dropLeftovers,
  fetchSnapshot,
  nameBeside,
  restoreDump,
  swapDatabases,
  urlOf,
} from '../../modules/self-backup/index.ts'
import { beCareful, erasedFileName } from '../../platform/careful/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import { createDatabase, type Database, migrate } from '../../platform/db/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import type { Log } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { say } from '../run-operator-command.ts'
import { repositoryOf } from './self-repository.ts'
import { tellReindexed } from './tell-reindexed.ts'

/** Where the first step notes the database that the second puts in place. */
const preparedFile = ({ dataDir }: Config) => join(dataDir, 'restored', 'database')

/** `file`: a dump of `pg_dump --format=custom`, in place of a snapshot. */
export async function prepareRestore(
  config: Config,
  url: string,
  { snapshot, file, log }: { snapshot: string; file: string | undefined; log: Log },
): Promise<{ prepared: string }> {
  const folder = join(config.dataDir, 'restored')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const left of await withServer(url, (pool) => dropLeftovers(pool, url, 'restored')))
    say(`The database ${left} of an earlier restore, which was not put in place, was removed.`)
  const { source, what, hasSettings } = await findSource(config, { snapshot, file, folder })
  const now = systemClock.now()
  const name = nameBeside(databaseOf(url), 'restored', now)
  await createEmpty(url, name)
  try {
    await restoreDump(source, urlOf(url, name))
    await bringList(config, source)
    const database = createDatabase({ connectionString: urlOf(url, name) }, { max: 3 })
    try {
      await migrate(database.pool, undefined, { log })
      await beCareful(database.db, `restored from ${what}`, now)
      await compareOutside(config, database)
    } finally {
      await database.close()
    }
  } catch (error) {
    await dropDatabase(url, name)
    throw error
  }
  await writeFile(preparedFile(config), name, { mode: 0o600 })
  say(`Brought ${what} back as the database ${name}. It is careful.`)
  if (hasSettings) say(`Settings and catalogue of then are in ${folder}: compare them with /etc/atoll.`)
  return { prepared: name }
}

/** A dump has no list of accounts that were erased since: the newest own backup has, or else the data folder alone. */
async function bringList(config: Config, source: DumpSource): Promise<void> {
  if ('from' in source) return await bringErased(source.from, config.dataDir)
  try {
    await bringErased(repositoryOf(config), config.dataDir)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    say(`No list of erased accounts was brought: ${error.message}`)
    say(
      `Accounts that were erased since the dump are erased again as ${join(config.dataDir, erasedFileName)} lists them.`,
    )
  }
}

/** Runs `work` on the server of `url`, on no database that is renamed or removed. */
export async function withServer<T>(url: string, work: (pool: Database['pool']) => Promise<T>): Promise<T> {
  const { pool, close } = createDatabase({ connectionString: urlOf(url, 'postgres') }, { max: 1 })
  try {
    return await work(pool)
  } finally {
    await close()
  }
}

async function readPrepared(config: Config): Promise<string> {
  const file = preparedFile(config)
  if (!existsSync(file)) throw new OperatorError('No restored database waits to take the place of the one in use.')
  return await readFile(file, 'utf8')
}

/** Says how `swapRestored` would change the deployment. */
export async function describeSwap(config: Config, url: string): Promise<string[]> {
  const fresh = await readPrepared(config)
  const [now, then] = [await newestRecord(url), await newestRecord(urlOf(url, fresh))]
  return [
    `The roles of this machine stop for some seconds. The database ${databaseOf(url)} is kept under another name, and ${fresh} takes its place.`,
    `The newest record of the audit log: ${now} in use, ${then} restored. What was written in between is in the kept one alone.`,
    'No money moves afterwards until: atollctl admin resume',
  ]
}

async function newestRecord(url: string): Promise<string> {
  const { pool, close } = createDatabase({ connectionString: url }, { max: 1 })
  try {
    const { rows } = await pool.query<{ at: Date | null }>('select max(at) as at from audit_entries')
    return rows[0]?.at?.toISOString() ?? 'none'
  } catch {
    // Nothing is there on a machine that is set up again, and one that cannot be read may be replaced.
    return 'none that can be read'
  } finally {
    await close()
  }
}

/** Refuses unless `prepareRestore` has ended well. The roles are stopped. */
export async function swapRestored(config: Config, url: string): Promise<{ kept: string }> {
  const fresh = await readPrepared(config)
  const kept = nameBeside(databaseOf(url), 'before', systemClock.now())
  await swapDatabases(url, fresh, kept)
  await rm(preparedFile(config))
  say(`${databaseOf(url)} is what was restored. The database of before, where there was one, is kept as ${kept}.`)
  for (const line of next) say(line)
  return { kept }
}

const next = [
  'No money moves, nothing is destroyed by a deadline and strays are only listed until: atollctl admin resume',
  'What may differ outside, and what shows it:',
  '  instances, zones and files of the vault that no row names   atollctl admin strays',
  '  files of the vault without a row                            atollctl vault-reindex',
  '  payments that the gateway took and no row stands for        atollctl ledger-verify --gateway',
  '  sources that have not answered yet                          curl -s http://127.0.0.1:4810/readyz',
]

async function findSource(
  config: Config,
  { snapshot, file, folder }: { snapshot: string; file: string | undefined; folder: string },
): Promise<{ source: DumpSource; what: string; hasSettings: boolean }> {
  if (file !== undefined) {
    if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`)
    return { source: { file: resolve(file) }, what: `the dump ${file}`, hasSettings: false }
  }
  const from = repositoryOf(config)
  const fetched = join(folder, 'fetched')
  const manifest = await fetchSnapshot(from, { snapshot, folder: fetched })
  if (manifest.dump === undefined) {
    throw new OperatorError(
      'This is a backup of an embedded database: bring it back in a checkout with npm run backup:restore-self.',
    )
  }
  for (const name of ['settings', 'catalog'])
    if (existsSync(join(fetched, name))) await rename(join(fetched, name), join(folder, name))
  // Mails that were not fetched yet: what is there now is newer.
  await cp(join(fetched, 'outbox'), join(config.dataDir, 'outbox'), { recursive: true, force: false })
  const key = join(fetched, 'secret.key')
  if (existsSync(key) && !existsSync(join(config.dataDir, 'secret.key')))
    await rename(key, join(config.dataDir, 'secret.key'))
  await rm(fetched, { recursive: true })
  return { source: { from, snapshot: manifest.dump }, what: `the backup of ${manifest.takenAt}`, hasSettings: true }
}

/** Says whether the key at hand is this database's, and takes in what the vault has of later. */
async function compareOutside(config: Config, { db }: Database): Promise<void> {
  const { vaultDir, vaultBucket } = config
  const sealer = await checkSameKey(db, requireSecretKeys(config))
  if (!(vaultBucket || existsSync(vaultDir)))
    return say(`There is no vault at ${vaultDir}: customers' backups are not in this backup.`)
  say(`The vault ${vaultBucket?.bucket ?? vaultDir}:`)
  tellReindexed(await reindexBackups({ db, place: config, sealer, now: systemClock.now() }))
}
