import type { Pool } from 'pg'
import type { Config } from '../platform/config.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded.ts'
import { createDatabase, type Database, type DatabaseConnection, migrate } from '../platform/db/index.ts'
import type { Log } from '../platform/log.ts'
import { OperatorError } from '../platform/operator-error.ts'

export interface OpenDatabase extends Database {
  connection: DatabaseConnection
  /** Stops the embedded server; nothing to do for one given by DATABASE_URL. Call after `close`. */
  stopServer(): Promise<void>
}

/** Oldest PostgreSQL that a server was tried on, as `server_version_num` counts. */
const oldestVersion = 150_000

/** Opens the deployment's database, starting the embedded one when none is configured, and brings it up to date. */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' }
  const database = createDatabase(connection, { log, max: config.databasePool })
  const stopServer = async () => embedded?.stop()
  try {
    if (!embedded) await requireUsable(database.pool)
    await migrate(database.pool)
  } catch (error) {
    await database.close()
    await stopServer()
    throw error
  }
  return { ...database, connection, stopServer }
}

async function requireUsable(pool: Pool): Promise<void> {
  let version: number
  try {
    const { rows } = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    version = rows[0]?.version ?? 0
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`The database of DATABASE_URL cannot be used: ${reason}`, { cause: error })
  }
  if (version < oldestVersion) {
    throw new OperatorError(
      `The database of DATABASE_URL is PostgreSQL ${Math.floor(version / 10_000)}; 15 or newer is needed.`,
    )
  }
}
