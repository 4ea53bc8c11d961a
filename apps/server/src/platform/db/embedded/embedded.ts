/**
 * The PostgreSQL that comes with the server, for deployments without one. It listens on a unix socket only, in a
 * folder that only its user may enter, and lives and dies with this process:
 * - killed without warning (`kill -9` of the server) it is asked to stop by a guard; one that stays behind all the same
 *   the next start stops cleanly first, which the folder lock makes safe: a postmaster in a folder whose lock is ours
 *   belongs to nobody;
 * - it is started outside our process group, so Ctrl-C in a terminal does not end it before the requests under way;
 * - when it crashes it is started again, and pools and listeners reconnect.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { ensureDataFolder } from '../../data-folder/data-folder.ts'
import { type FolderLock, FolderTaken, lockFolder } from '../../data-folder/folder-lock.ts'
import type { Log } from '../../log.ts'
import type { DatabaseConnection } from '../index.ts'
import { findPostgresBinaries } from './embedded-binaries.ts'
import { initialise, prepareSocketFolder, setOwner, socketFolderOf, stopOrphan } from './embedded-folder.ts'
import { supervisePostgres } from './embedded-supervisor.ts'
import { chooseRunAs } from './embedded-user.ts'

export interface EmbeddedPostgres {
  connection: DatabaseConnection
  /** The postmaster's process id. */
  pid(): number | undefined
  /** Fast shutdown: open connections are closed, everything committed is on disk. Frees the folder. */
  stop(): Promise<void>
}

const databaseName = 'atoll'
const userName = 'atoll'
const patienceMs = 3000
const retryMs = 500

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, made on first use, and takes the data folder for this process.
 * Throws `FolderTaken` when another server has it, and an error that says what to do when PostgreSQL cannot run here.
 */
export async function startEmbeddedPostgres(options: { dataDir: string; log: Log }): Promise<EmbeddedPostgres> {
  const log = options.log.child({ from: 'postgres' })
  const folder = join(options.dataDir, 'postgres')
  const data = join(folder, 'data')
  ensureDataFolder(options.dataDir)
  mkdirSync(folder, { recursive: true })
  const lock = await lockWithPatience(options.dataDir, log)
  try {
    const binaries = findPostgresBinaries()
    const runAs = chooseRunAs(binaries, folder)
    await stopOrphan(data, log)
    setOwner(folder, runAs)
    const sockets = prepareSocketFolder(folder, runAs)
    await initialise({ folder, data, binaries, runAs, userName })
    const server = await supervisePostgres({ data, sockets, binaries, runAs, log })
    try {
      await createOwnDatabase(sockets)
    } catch (error) {
      await server.stop()
      throw error
    }
    return {
      connection: connectionOf(options.dataDir),
      pid: server.pid,
      async stop() {
        await server.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** How the embedded database of a data folder is reached while its server runs. */
export function connectionOf(dataDir: string): DatabaseConnection {
  return { host: socketFolderOf(join(dataDir, 'postgres')).path, user: userName, database: databaseName }
}

/** A server that was just asked to stop, or whose starter was killed, is given the time that a stop takes. */
async function lockWithPatience(dataDir: string, log: Log): Promise<FolderLock> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      return await lockFolder(dataDir)
    } catch (error) {
      if (!(error instanceof FolderTaken) || Date.now() > deadline) throw error
      log.info({ pid: error.pid }, 'the data folder is in use; waiting a moment for its server to stop')
      await delay(retryMs)
    }
  }
}

async function createOwnDatabase(host: string): Promise<void> {
  const client = new Client({ host, user: userName, database: 'postgres' })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName])
    if (rowCount === 0) await client.query(`create database ${databaseName}`)
  } finally {
    await client.end()
  }
}
