/**
 * `npm run backup:verify-self [-- --snapshot ID]`: brings a backup of this deployment to a temporary folder, starts its
 * database there, reads every row and checks the audit log's chain. Exit code 0 when it is whole, 1 when it is not, 2
 * when it could not be read.
 */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { verifyAudit } from '../modules/audit/index.ts'
import { countRows, fetchSnapshot } from '../modules/self-backup/index.ts'
import { createSealer } from '../platform/crypto.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded.ts'
import { createDatabase } from '../platform/db/index.ts'
import { checkSameKey } from '../platform/key-guard.ts'
import { requireSecretKey } from '../platform/secret-key.ts'
import { runOperatorCommand, say } from './run-operator-command.ts'
import { repositoryOf } from './self-repository.ts'

await runOperatorCommand(async ({ config, log }) => {
  const { snapshot } = parseArgs({ options: { snapshot: { type: 'string', default: 'latest' } } }).values
  const scratch = mkdtempSync(join(tmpdir(), 'atoll-verify-'))
  try {
    const dataDir = join(scratch, 'deployment')
    const manifest = await fetchSnapshot(repositoryOf(config), { snapshot, folder: dataDir })
    // PostgreSQL does not run as root, and must reach its folder within; the key is its owner's alone.
    for (const folder of [scratch, dataDir]) chmodSync(folder, 0o711)
    mkdirSync(join(dataDir, 'postgres'))
    renameSync(join(dataDir, 'database'), join(dataDir, 'postgres', 'data'))
    const key = requireSecretKey({ secretKey: config.secretKey, dataDir })
    const server = await startEmbeddedPostgres({ dataDir, log })
    const { db, pool, close } = createDatabase(server.connection, { log, max: 2 })
    try {
      await checkSameKey(pool, key)
      const rows = await countRows(db)
      const verdict = await verifyAudit(db, { sealer: createSealer(key) })
      say(`Taken at ${manifest.takenAt}.`)
      say(`${rows.size} tables, ${[...rows.values()].reduce((sum, count) => sum + count, 0)} rows, all read.`)
      if (!verdict.whole) {
        say(`BROKEN: the audit log at record ${verdict.seq}: ${verdict.problem}.`)
        return 1
      }
      if (verdict.records < manifest.auditRecords) {
        say(`BROKEN: the audit log ends at ${verdict.records} and had ${manifest.auditRecords} records before.`)
        return 1
      }
      say(`The audit log is whole: ${verdict.records} records. Head ${verdict.records}:${verdict.hash}`)
      return 0
    } finally {
      await close()
      await server.stop()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
})
