import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { FolderTaken } from '../platform/data-folder/folder-lock.ts'
import { connectionOf, type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/db/embedded/embedded.ts'
import {
  createDatabase,
  type Database,
  type DatabaseConnection,
  listMissingMigrations,
  PrimaryClient,
} from '../platform/db/index.ts'
import type { Log } from '../platform/log.ts'
import { OperatorError } from '../platform/operator-error.ts'

/**
 * Runs `work` on the deployment's database, for an operator's command: that of DATABASE_URL; otherwise the embedded
 * one, of the server that runs on the data folder, or started for this alone when none does. One that is older than
 * this program is left as it is and refused.
 */
export async function withOperatorDatabase<T>(
  config: Config,
  log: Log,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const opened = await openOperatorDatabase(config, log)
  try {
    return await work(opened)
  } finally {
    await opened.close()
    await opened.stopServer()
  }
}

/**
 * The same for a command that only reads: a database that lacks migrations is opened, and `problem` says why one cannot
 * be reached.
 */
export async function withDatabaseToLookAt<T>(
  config: Config,
  log: Log,
  work: (database: Database & { problem: string | undefined }) => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl } = config
  const given = databaseUrl === undefined ? connectionOf(dataDir) : { connectionString: databaseUrl }
  const isThere = databaseUrl !== undefined || existsSync(join(dataDir, 'postgres', 'data'))
  const embedded =
    databaseUrl === undefined && isThere && !(await answers(given))
      ? await startEmbeddedPostgres({ dataDir, log }).catch((error: unknown) => {
          if (error instanceof FolderTaken) return undefined
          throw error
        })
      : undefined
  const database = createDatabase(embedded?.connection ?? given, { log, max: 4 })
  try {
    const problem = isThere ? await findProblem(database) : `There is no deployment in ${dataDir}.`
    return await work({ ...database, problem })
  } finally {
    await database.close()
    await embedded?.stop()
  }
}

async function findProblem({ pool }: Database): Promise<string | undefined> {
  try {
    await listMissingMigrations(pool)
    return undefined
  } catch (error) {
    return `It cannot be used: ${error instanceof Error ? error.message : String(error)}.`
  }
}

type OperatorDatabase = Database & { stopServer(): Promise<void> }

async function openOperatorDatabase(config: Config, log: Log): Promise<OperatorDatabase> {
  if (config.databaseUrl !== undefined) {
    return await openCurrent({ connectionString: config.databaseUrl }, 'The database of DATABASE_URL')
  }
  const { dataDir } = config
  if (!existsSync(join(dataDir, 'postgres', 'data'))) {
    throw new OperatorError(
      `There is no deployment in ${dataDir}. Name its folder with ATOLL_DATA_DIR, or its database with DATABASE_URL.`,
    )
  }
  // A server that runs on the folder has its database on a socket there. One that is only just starting has the
  // folder, and soon the socket.
  const running = () => openCurrent(connectionOf(dataDir), `The database of the server on ${dataDir}`)
  if (await answers(connectionOf(dataDir))) return await running()
  let server: EmbeddedPostgres
  try {
    server = await startEmbeddedPostgres({ dataDir, log })
  } catch (error) {
    if (error instanceof FolderTaken) return await running()
    throw error
  }
  try {
    return { ...(await openCurrent(server.connection, `The database in ${dataDir}`)), stopServer: () => server.stop() }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function answers(connection: DatabaseConnection): Promise<boolean> {
  const client = new PrimaryClient(connection)
  try {
    await client.connect()
    return true
  } catch {
    return false // nobody listens: whoever opens it for good says what is wrong
  } finally {
    await client.end()
  }
}

/** Opens a database that is somebody's: what it lacks is its server's to bring. */
async function openCurrent(connection: DatabaseConnection, what: string): Promise<OperatorDatabase> {
  const database = createDatabase(connection, { max: 2 })
  let missing: string[]
  try {
    missing = await listMissingMigrations(database.pool)
  } catch (error) {
    await database.close()
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${what} cannot be used: ${reason}`, { cause: error })
  }
  if (missing.length > 0) {
    await database.close()
    throw new OperatorError(`${what} is older than this program. Start this version's server on it first.`)
  }
  return { ...database, stopServer: async () => undefined }
}
