/**
 * `npm run backup:verify-self [-- --snapshot ID]`: restores a backup of this deployment to a temporary folder, starts
 * its database there (with DATABASE_URL: fills a new database beside the one in use, removed afterwards), reads every
 * row and checks the audit log's chain. Exit code 0 when it is whole, 1 when it is not, 2 when it could not be read.
 */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import { verifyAudit } from '../../modules/audit/index.ts'
import {
  countRows,
  createEmpty,
  databaseOf,
  dropDatabase,
  fetchSnapshot,
  nameBeside,
  restoreDump,
  saveProvenAt,
  urlOf,
} from '../../modules/self-backup/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { startEmbeddedPostgres } from '../../platform/db/embedded.ts'
import { createDatabase, type DatabaseConnection, migrate } from '../../platform/db/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import type { Log } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { requireSecretKeys, type SecretKeys } from '../../platform/secret-key.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { runOperatorCommand, say } from '../run-operator-command.ts'
import { repositoryOf } from './self-repository.ts'

/** In the deployment's own database, where this machine has it: the checks tell how old the newest proof is. */
async function noteProof(config: Config, log: Log): Promise<void> {
  try {
    await withOperatorDatabase(config, log, ({ db }) => saveProvenAt(db, systemClock.now()))
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    say(`That is not noted for the checks of the deployment: ${error.message}`)
  }
}

await runOperatorCommand(async ({ config, log }) => {
  const { snapshot } = parseArgs({ options: { snapshot: { type: 'string', default: 'latest' } } }).values
  const scratch = mkdtempSync(join(tmpdir(), 'atoll-verify-'))
  try {
    const dataDir = join(scratch, 'deployment')
    const manifest = await fetchSnapshot(repositoryOf(config), { snapshot, folder: dataDir })
    const copy = await open(config, { scratch, dataDir, dump: manifest.dump, log })
    try {
      // A key that is in the backup is proven with it.
      const keys = requireSecretKeys({ secretKey: config.secretKey, dataDir })
      const code = await check(copy.connection, { keys, log, ...manifest })
      if (code === 0) await noteProof(config, log)
      return code
    } finally {
      await copy.remove()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
})

interface Copy {
  connection: DatabaseConnection
  remove(): Promise<void>
}

async function open(
  config: Config,
  { scratch, dataDir, dump, log }: { scratch: string; dataDir: string; dump: string | undefined; log: Log },
): Promise<Copy> {
  if (dump === undefined) {
    // PostgreSQL does not run as root, and must reach its folder within; the key is its owner's alone.
    for (const folder of [scratch, dataDir]) chmodSync(folder, 0o711)
    mkdirSync(join(dataDir, 'postgres'))
    renameSync(join(dataDir, 'database'), join(dataDir, 'postgres', 'data'))
    const server = await startEmbeddedPostgres({ dataDir, log })
    return { connection: server.connection, remove: () => server.stop() }
  }
  const url = config.databaseUrl
  if (url === undefined) throw new OperatorError('This is a backup of a database of DATABASE_URL: set it.')
  const name = nameBeside(databaseOf(url), 'copy', systemClock.now())
  await createEmpty(url, name)
  const remove = () => dropDatabase(url, name)
  try {
    await restoreDump({ from: repositoryOf(config), snapshot: dump }, urlOf(url, name))
    return { connection: { connectionString: urlOf(url, name) }, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function check(
  connection: DatabaseConnection,
  { keys, log, takenAt, auditRecords }: { keys: SecretKeys; log: Log; takenAt: string; auditRecords: number },
): Promise<number> {
  const { db, pool, close } = createDatabase(connection, { log, max: 2 })
  try {
    await checkSameKey(db, keys)
    // One from before an upgrade lacks what this program reads.
    await migrate(pool, undefined, { log })
    const rows = await countRows(db)
    const verdict = await verifyAudit(db, { sealer: await checkSameKey(db, keys) })
    say(`Taken at ${takenAt}.`)
    say(`${rows.size} tables, ${[...rows.values()].reduce((sum, count) => sum + count, 0)} rows, all read.`)
    if (!verdict.whole) {
      say(`BROKEN: the audit log at record ${verdict.seq}: ${verdict.problem}.`)
      return 1
    }
    if (verdict.records < auditRecords) {
      say(`BROKEN: the audit log ends at ${verdict.records} and had ${auditRecords} records before.`)
      return 1
    }
    say(`The audit log is whole: ${verdict.records} records. Head ${verdict.records}:${verdict.hash}`)
    return 0
  } finally {
    await close()
  }
}
