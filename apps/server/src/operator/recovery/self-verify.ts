/**
 * `npm run backup:verify-self [-- --snapshot ID]`: restores a backup of this deployment to a temporary folder, starts
 * its database there (with DATABASE_URL: fills a new database beside the one in use, removed afterwards), reads every
 * row and checks the audit log's chain. Exit code 0 when it is whole, 1 when it is not, 2 when it could not be read.
 */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { verifyAudit } from '../../modules/audit/index.ts'
import {
  countRows,
  createEmpty,
  databaseOf,
  dropDatabase,
  dropLeftovers,
  fetchSnapshot,
  nameBeside,
  restoreDump,
  saveProvenAt,
  urlOf,
} from '../../modules/self-backup/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { requireSecretKeys, type SecretKeys } from '../../platform/data-folder/secret-key.ts'
import { startEmbeddedPostgres } from '../../platform/db/embedded/embedded.ts'
import { createDatabase, type DatabaseConnection, migrate } from '../../platform/db/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'
import type { Log } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { withOperatorDatabase } from '../../start/operator-database.ts'
import { type Outcome, runVerb, say } from '../run-operator-command.ts'
import { withServer } from './restore-on-server.ts'
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

const verb = {
  verb: 'backup verify',
  script: 'backup:verify-self',
  takes: '[--snapshot ID]',
  text: `Restores a backup of this deployment beside it, reads every row and the audit log, and removes that copy again.
  --snapshot   another than the newest`,
  codes: 'it is whole; 1 it is not; 2 it could not be read.',
  options: { snapshot: { type: 'string' } },
} as const

await runVerb(verb, async ({ config, log, values: { snapshot = 'latest' } }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'atoll-verify-'))
  try {
    const dataDir = join(scratch, 'deployment')
    const manifest = await fetchSnapshot(repositoryOf(config), { snapshot, folder: dataDir })
    const copy = await open(config, { scratch, dataDir, dump: manifest.dump, log })
    try {
      // A key that is in the backup is proven with it.
      const keys = requireSecretKeys({ secretKey: config.secretKey, dataDir })
      const outcome = await check(copy.connection, { keys, log, ...manifest })
      if (outcome.code === 0) await noteProof(config, log)
      return outcome
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
  for (const left of await withServer(url, (pool) => dropLeftovers(pool, url, 'proof')))
    say(`The database ${left} of a proof that was killed was removed.`)
  const name = nameBeside(databaseOf(url), 'proof', systemClock.now())
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
): Promise<Outcome> {
  const { db, pool, close } = createDatabase(connection, { log, max: 2 })
  try {
    await checkSameKey(db, keys)
    // One from before an upgrade lacks what this program reads.
    await migrate(pool, undefined, { log })
    const rows = await countRows(db)
    const verdict = await verifyAudit(db, { sealer: await checkSameKey(db, keys) })
    const read = { takenAt, tables: rows.size, rows: [...rows.values()].reduce((sum, count) => sum + count, 0) }
    const lines = [`Taken at ${takenAt}.`, `${read.tables} tables, ${read.rows} rows, all read.`]
    const problem = verdict.whole
      ? verdict.records < auditRecords
        ? `ends at ${verdict.records} and had ${auditRecords} records before`
        : undefined
      : `at record ${verdict.seq}: ${verdict.problem}`
    if (problem !== undefined || !verdict.whole)
      return { code: 1, data: { ...read, problem }, lines: [...lines, `BROKEN: the audit log ${problem}.`] }
    const { records, hash } = verdict
    const line = `The audit log is whole: ${records} records. Head ${records}:${hash}`
    return { code: 0, data: { ...read, auditRecords: records, head: hash }, lines: [...lines, line] }
  } finally {
    await close()
  }
}
