import type { Config } from '../config.ts'
import { requireSecretKeys } from '../platform/data-folder/secret-key.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded/embedded.ts'
import {
  createDatabase,
  createPool,
  type Database,
  type DatabaseConnection,
  findPooler,
  listPendingMigrations,
  migrate,
  queryTimeoutMs,
  requireMigrated,
} from '../platform/db/index.ts'
import { isRelease } from '../platform/install.ts'
import { checkSameKey } from '../platform/keys/index.ts'
import type { Log } from '../platform/log.ts'
import { OperatorError } from '../platform/operator-error.ts'

export interface OpenDatabase extends Database {
  connection: DatabaseConnection
  /** Stops the embedded server; nothing to do for one given by DATABASE_URL. Call after `close`. */
  stopServer(): Promise<void>
}

const answerWithinMs = 10_000

/** Oldest PostgreSQL that a server was tried on, as `server_version_num` counts. */
const oldestVersion = 150_000

/**
 * Opens the deployment's database, starting the embedded one when none is configured. It is brought up to date; where
 * `mayMigrate` is false, a database that is not up to date is refused: several processes of a release start at once,
 * and only the command `migrate` changes tables while they run.
 */
export async function openDatabase(config: Config, log: Log, mayMigrate = !isRelease): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const connection = embedded?.connection ?? liveConnection(config)
  const stopServer = async () => embedded?.stop()
  try {
    await prepare(connection, { log, isGiven: embedded === undefined, mayMigrate })
  } catch (error) {
    await stopServer()
    throw error
  }
  const database = createDatabase(connection, { log, max: config.databasePool, queryTimeoutMs })
  return { ...database, connection, stopServer }
}

/** Its URL is looked at for each new connection: the password may change while this process runs. */
function liveConnection(config: Config): { readonly connectionString: string } {
  return {
    get connectionString() {
      return config.databaseUrl ?? ''
    },
  }
}

/**
 * The migrations that the command `migrate` would run on the database of DATABASE_URL, and the size of that database.
 * Throws an `OperatorError` where this program may not run on it at all: for what it lacks or knows too little of, or
 * because it cannot read the key that new values are made with, as a version from before a rotation could.
 */
export async function readPending(
  { databaseUrl, secretKey, dataDir }: Pick<Config, 'databaseUrl' | 'secretKey' | 'dataDir'>,
  log: Log,
): Promise<{ pending: { name: string; oldestProgram: string | undefined }[]; databaseBytes: number }> {
  if (databaseUrl === undefined) throw new OperatorError('DATABASE_URL names no database to look at.')
  await requireUsable({ connectionString: databaseUrl }, log)
  const { db, pool, close } = createDatabase({ connectionString: databaseUrl }, { log, max: 1 })
  try {
    if (secretKey !== undefined && (await hasFacts(pool)))
      await checkSameKey(db, requireSecretKeys({ secretKey, dataDir }))
    const { rows } = await pool.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
    const pending = await listPendingMigrations(pool)
    return {
      pending: pending.map(({ name, oldestProgram }) => ({ name, oldestProgram })),
      databaseBytes: rows[0]?.bytes ?? 0,
    }
  } finally {
    await close()
  }
}

/** An empty database belongs to nobody yet. */
async function hasFacts(pool: Database['pool']): Promise<boolean> {
  const { rows } = await pool.query<{ is: boolean }>(`select to_regclass('deployment_facts') is not null as is`)
  return rows[0]?.is === true
}

/** By connections of its own: a migration may take long, and waits for one that another process runs. */
async function prepare(
  connection: DatabaseConnection,
  { log, isGiven, mayMigrate }: { log: Log; isGiven: boolean; mayMigrate: boolean },
): Promise<void> {
  if (isGiven) await requireUsable(connection, log)
  const pool = createPool(connection, { log, max: 2 })
  try {
    if (mayMigrate) await migrate(pool, undefined, { log })
    else await requireMigrated(pool)
  } finally {
    await pool.end()
  }
}

async function requireUsable(connection: DatabaseConnection, log: Log): Promise<void> {
  let version: number
  let pooler: string | undefined
  // A pooler that has one server for all would keep the second session waiting.
  const pool = createPool(connection, { log, max: 2, queryTimeoutMs: answerWithinMs })
  try {
    const { rows } = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    version = rows[0]?.version ?? 0
    pooler = await findPooler(pool)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`The database of DATABASE_URL cannot be used: ${reason}`, { cause: error })
  } finally {
    await pool.end()
  }
  if (pooler !== undefined) {
    throw new OperatorError(
      `${pooler} LISTEN and advisory locks need sessions: set pool_mode = session for this database, or name PostgreSQL itself in DATABASE_URL.`,
    )
  }
  if (version < oldestVersion) {
    throw new OperatorError(
      `The database of DATABASE_URL is PostgreSQL ${Math.floor(version / 10_000)}; 15 or newer is needed.`,
    )
  }
}
