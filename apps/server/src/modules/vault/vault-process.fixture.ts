/** A vault as a process of its own, to be killed. Arguments: URL of the database, folder. Prints its port. */
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/db/index.ts'
import { silentLog } from '../../platform/log.ts'
import { createVault } from './index.ts'

const [connectionString = '', vaultDir = ''] = process.argv.slice(2)
const { db } = createDatabase({ connectionString })
const vault = createVault({
  strayMs: 0,
  db,
  clock: systemClock,
  log: silentLog,
  config: { host: '127.0.0.1', vaultUrl: '', vaultDir },
  readQuota: async () => null,
  onDamaged: async () => undefined,
})
process.stdout.write(`${await vault.listen(0)}\n`)
