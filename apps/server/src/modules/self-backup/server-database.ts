/**
 * Databases beside the one in use, on the server of DATABASE_URL: a restore fills a new one and then the two change
 * their names, so that the old one is kept and no role reaches a half of the new one. The role needs CREATEDB.
 */
import type { Client } from 'pg'
import { PrimaryClient } from '../../platform/db/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'

const parts = /^(postgres(?:ql)?:\/\/[^/?]*\/)([^?]*)(.*)$/

/** The name of the database of `url`. Throws an `OperatorError` for a URL that names none. */
export function databaseOf(url: string): string {
  const name = decodeURIComponent(parts.exec(url)?.[2] ?? '')
  if (name === '') throw new OperatorError('DATABASE_URL names no database.')
  return name
}

/** `url` with the name of another database. */
export function urlOf(url: string, database: string): string {
  return url.replace(parts, (_, before: string, __, after: string) => before + encodeURIComponent(database) + after)
}

export const besideKinds = ['restored', 'before', 'copy', 'proof'] as const
/** Waits to take the place, was in it, was copied before an upgrade, or is made to be read once. */
export type BesideKind = (typeof besideKinds)[number]

/** A new name beside `database`, such as `atoll_restored_20261128_101500`, as long as PostgreSQL takes. */
export function nameBeside(database: string, what: BesideKind, at: Date): string {
  const stamp = at.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_')
  const suffix = `_${what}_${stamp}`
  return database.slice(0, 63 - suffix.length) + suffix
}

/** Makes an empty database. */
export async function createEmpty(url: string, name: string): Promise<void> {
  await asOwner(url, (client) => client.query(`create database ${quoted(name)} template template0 encoding 'UTF8'`))
}

export async function dropDatabase(url: string, name: string): Promise<void> {
  await asOwner(url, (client) => client.query(`drop database if exists ${quoted(name)} with (force)`))
}

/** A copy of the database of `url` as files: quick, but nobody may be connected meanwhile. */
export async function copyAsTemplate(url: string, name: string): Promise<void> {
  const from = databaseOf(url)
  await asOwner(url, async (client) => {
    await endSessions(client, from)
    await client.query(`create database ${quoted(name)} template ${quoted(from)} strategy file_copy`)
  })
}

/** Puts `fresh` in the place of the database of `url`, which goes on as `kept`. Both or neither. */
export async function swapDatabases(url: string, fresh: string, kept: string): Promise<void> {
  const current = databaseOf(url)
  await asOwner(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where datname = any ($1)',
      [[current, fresh]],
    )
    if (!rows.some(({ datname }) => datname === fresh)) throw new OperatorError(`There is no database ${fresh}.`)
    for (const { datname } of rows) await endSessions(client, datname)
    await client.query('begin')
    try {
      if (rows.length > 1) await client.query(`alter database ${quoted(current)} rename to ${quoted(kept)}`)
      await client.query(`alter database ${quoted(fresh)} rename to ${quoted(current)}`)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  })
}

/**
 * Ends the sessions of people and programs. Autovacuum, which starts on a database that was just filled, belongs to the
 * server: only a superuser may end it, and the server ends it where a database is renamed or copied.
 */
async function endSessions(client: Client, database: string): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = $1 and pid <> pg_backend_pid() and pg_has_role(usesysid, 'member')`,
    [database],
  )
}

/** On the server's own database, since nobody may be connected to one that is copied or renamed. */
async function asOwner(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client: Client = new PrimaryClient({ connectionString: urlOf(url, 'postgres') })
  client.on('error', () => undefined) // reported by the query that runs then
  await client.connect()
  try {
    const { rows } = await client.query<{ may: boolean }>(
      'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
    )
    if (rows[0]?.may !== true) {
      throw new OperatorError(
        'The role of DATABASE_URL may not make databases. Allow it: su postgres -c "psql -c \'alter role atoll createdb\'"',
      )
    }
    await work(client)
  } finally {
    await client.end()
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
