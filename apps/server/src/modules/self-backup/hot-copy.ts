/**
 * A copy of a PostgreSQL data folder while its server works (PostgreSQL documentation, "Making a Base Backup Using the
 * Low Level API"): between `pg_backup_start` and `pg_backup_stop` files are copied as they come, and the log from the
 * one to the other makes them consistent when the copy is started. A replication slot of this session keeps the server
 * from recycling that log meanwhile.
 */
import { constants, type Dirent } from 'node:fs'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { DatabaseConnection } from '../../platform/db/index.ts'
import { advisoryLockClass } from '../../platform/db/migrations/migrate.ts'
import { OperatorError } from '../../platform/operator-error.ts'

const slot = 'atoll_self_backup'
/** Folders whose content a starting server creates again. */
const emptied = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
  'pgsql_tmp',
])
/** Of this server's life, or written at the end. */
const left = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'tablespace_map'])
const segment = /^[0-9A-F]{24}$/
/** Second half of the advisory lock. */
export const selfBackupLock = 4803

/** Runs `work` as the only one that backs this database up; refuses while another does. */
export async function withOnlyBackup<T>(
  connection: DatabaseConnection,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(connection)
  // A line that is cut is reported by the query that runs then, or by the next one.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
      advisoryLockClass,
      selfBackupLock,
    ])
    if (!rows[0]?.held) throw new OperatorError('A backup of this deployment is under way already.')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** `data`: the server's folder. `target`: made; absent. `client` is used for nothing else meanwhile. */
export async function copyDatabase(client: Client, data: string, target: string): Promise<void> {
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
  try {
    const started = await client.query<{ first: string }>(
      `select pg_walfile_name(pg_backup_start('atoll', true)) as first`,
    )
    await copyTree(data, target)
    const stopped = await client.query<{ last: string; label: string; spaces: string }>(
      `select pg_walfile_name(lsn) as last, labelfile as label, spcmapfile as spaces from pg_backup_stop(false)`,
    )
    const [first, end] = [started.rows[0]?.first, stopped.rows[0]]
    if (first === undefined || !end) throw new Error('PostgreSQL did not say where its backup begins and ends')
    await writeFile(join(target, 'backup_label'), end.label, { mode: 0o600 })
    if (end.spaces !== '') await writeFile(join(target, 'tablespace_map'), end.spaces, { mode: 0o600 })
    const names = await readdir(join(data, 'pg_wal'))
    const needed = names.filter((name) => segment.test(name) && name >= first && name <= end.last)
    for (const name of needed) await copyFile(join(data, 'pg_wal', name), join(target, 'pg_wal', name))
    if (!needed.includes(first) || !needed.includes(end.last)) throw new Error(`The log from ${first} on is not there`)
  } finally {
    await client.query('select pg_drop_replication_slot($1)', [slot])
  }
}

/** Files and folders; what is gone when it is read is left out. `to` is made. */
export async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdirIfThere(from)) {
    if (left.has(entry.name)) continue
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (emptied.has(entry.name)) await mkdir(copy, { recursive: true, mode: 0o700 })
      else await copyTree(source, copy)
    } else if (entry.isFile()) {
      // A table may be dropped meanwhile: the log knows it.
      await copyFile(source, copy, constants.COPYFILE_FICLONE).catch(ifAbsent)
    }
  }
}

async function readdirIfThere(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    ifAbsent(error)
    return []
  }
}

function ifAbsent(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
