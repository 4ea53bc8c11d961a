import type { Config } from '../platform/config.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded.ts'
import { createDatabase, type Database, type DatabaseConnection, migrate } from '../platform/db/index.ts'
import type { Log } from '../platform/log.ts'

export interface OpenDatabase extends Database {
  connection: DatabaseConnection
  /** Stops the embedded server; nothing to do for one given by DATABASE_URL. Call after `close`. */
  stopServer(): Promise<void>
}

/** Opens the deployment's database, starting the embedded one when none is configured, and brings it up to date. */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' }
  const database = createDatabase(connection, { log, max: config.databasePool })
  const stopServer = async () => embedded?.stop()
  try {
    await migrate(database.pool)
  } catch (error) {
    await database.close()
    await stopServer()
    throw error
  }
  return { ...database, connection, stopServer }
}
