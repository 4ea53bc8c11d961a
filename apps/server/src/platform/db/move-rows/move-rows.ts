/**
 * Copies all rows of one database into another with the same migrations, on another server or another version of
 * PostgreSQL. Triggers and constraints of the target's tables (numbering, append-only, foreign keys) are disabled for
 * the copy, which the owner of the tables may do, and restored and checked in the same transaction: killed at any
 * point, the target is as it was.
 */
import type { Client } from 'pg'
import { OperatorError } from '../../operator-error.ts'
import { copyTable } from './copy-table.ts'

const schemas = ['public', 'graphile_worker']
/** Filled by the migration of the target, and compared with the source's. */
const migrations = ['public.schema_migrations', 'graphile_worker.migrations']

interface TableRow {
  /** Quoted, with its schema. */
  name: string
  columns: string
  /** Of a partition: what it belongs to, and which rows it holds. */
  parent: string | null
  bound: string | null
}

export interface MovedTable {
  name: string
  rows: number
}

/** Both clients are the caller's, and connected for this alone. */
export async function moveRows(from: Client, to: Client): Promise<MovedTable[]> {
  for (const client of [from, to])
    await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
      set extra_float_digits = 1; set bytea_output = 'hex'; set search_path = public`)
  const written = await listWritten(from)
  await from.query('begin isolation level repeatable read read only')
  await to.query('begin')
  try {
    // Until the end nobody changes a row, which would be left behind: a role that starts meanwhile waits. Asked for
    // before anything is read, as what is read first is the state that is copied.
    await from.query(`set local lock_timeout = '60s'; lock table ${written} in share mode`)
    await requireSameMigrations(from, to)
    const tables = await listTables(from)
    const names = tables.map(({ name }) => name).sort()
    const before = await listTables(to)
    // Its migrations made partitions for the hours of now, which the source has of its own last hours.
    for (const { name, parent } of before)
      if (parent !== null && !names.includes(name)) await to.query(`drop table ${name}`)
    for (const { name, parent, bound } of tables)
      if (parent !== null && !before.some((one) => one.name === name))
        await to.query(`create table ${name} partition of ${parent} ${bound}`)
    const found = (await listTables(to)).map(({ name }) => name)
    const differ = [...names.filter((name) => !found.includes(name)), ...found.filter((name) => !names.includes(name))]
    if (differ.length > 0) throw new OperatorError(`The two do not have the same tables: ${differ.join(', ')}.`)

    const keys = await listForeignKeys(to)
    for (const { table, key } of keys) await to.query(`alter table ${table} drop constraint ${key}`)
    for (const name of names) await to.query(`alter table ${name} disable trigger user`)
    await to.query(`truncate ${names.join(', ')}`)
    const moved: MovedTable[] = []
    for (const { name, columns } of tables) {
      await copyTable(from, to, name, columns)
      moved.push({ name, rows: await requireSameRows(from, to, name, columns) })
    }
    await moveSequences(from, to)
    for (const name of names) await to.query(`alter table ${name} enable trigger user`)
    for (const { table, key, definition } of keys)
      await to.query(`alter table ${table} add constraint ${key} ${definition}`)
    await to.query('commit')
    return moved
  } catch (error) {
    await to.query('rollback').catch(() => undefined) // the connection may be what failed
    throw error
  } finally {
    await from.query('rollback').catch(() => undefined) // it read, and nothing else
  }
}

/** Names of all tables, as a statement takes them. */
async function listWritten(client: Client): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(format('%I.%I', schemaname, tablename), ', ' order by schemaname, tablename) as names
     from pg_tables where schemaname = any ($1)`,
    [schemas],
  )
  return rows[0]?.names ?? ''
}

async function requireSameMigrations(from: Client, to: Client): Promise<void> {
  for (const table of migrations) {
    const [one, other] = await Promise.all([from, to].map((client) => hashOf(client, table, '*')))
    const [a, b] = [one, other].map((read) => read?.rows)
    if (a !== b)
      throw new OperatorError(`The two are not of one version: ${table} has ${a} rows in one and ${b} in the other.`)
  }
}

/** Ordinary tables and partitions, and their columns that can be written. */
async function listTables(client: Client): Promise<TableRow[]> {
  const { rows } = await client.query<TableRow>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select format('%I.%I', pn.nspname, p.relname) from pg_inherits i join pg_class p on p.oid = i.inhparent
          join pg_namespace pn on pn.oid = p.relnamespace where i.inhrelid = c.oid) as parent,
       pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any ($1) and format('%I.%I', n.nspname, c.relname) <> all ($2)
     order by 1`,
    [schemas, migrations],
  )
  return rows
}

async function listForeignKeys(client: Client) {
  const { rows } = await client.query<{ table: string; key: string; definition: string }>(
    `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(k.conname) as key,
       pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and k.conparentid = 0 and n.nspname = any ($1) order by 1, 2`,
    [schemas],
  )
  return rows
}

async function requireSameRows(from: Client, to: Client, table: string, columns: string): Promise<number> {
  const [one, other] = await Promise.all([from, to].map((client) => hashOf(client, table, columns)))
  if (one?.rows !== other?.rows || one?.hash !== other?.hash)
    throw new Error(
      `${table} has ${one?.rows} rows (${one?.hash}) in one and ${other?.rows} (${other?.hash}) in the other`,
    )
  return Number(one?.rows)
}

async function hashOf(client: Client, table: string, columns: string): Promise<{ rows: string; hash: string }> {
  const { rows } = await client.query<{ rows: string; hash: string }>(
    `select count(*)::text as rows, coalesce(sum(hashtextextended(r::text collate "C", 0)), 0)::text as hash
     from (select ${columns} from ${table}) r`,
  )
  return rows[0] ?? { rows: '0', hash: '0' }
}

/** The next number of each is the one that the source would give. */
async function moveSequences(from: Client, to: Client): Promise<void> {
  const { rows } = await from.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname = any ($1)`,
    [schemas],
  )
  for (const { name } of rows) {
    const { rows: read } = await from.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    )
    const [at] = read
    if (at) await to.query('select setval($1, $2::bigint, $3)', [name, at.last, at.called])
  }
}
