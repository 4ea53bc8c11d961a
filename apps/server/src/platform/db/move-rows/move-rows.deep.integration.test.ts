import { createScriptedWallet, createTestDatabase } from '@atoll/testkit'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database, migrate, moveRows } from '../index.ts'
import { useDatabase } from '../testing/use-database.ts'

const source = useDatabase()
const did = createScriptedWallet().did

beforeAll(async () => {
  // Rows in tables that number, forbid changes and refer to others.
  await source.pool.query(
    'insert into accounts (did, can_create_cluster, vcpu_quota, created_at) values ($1, true, 16, now())',
    [did],
  )
  await source.pool.query(
    `insert into audit_drafts (actor, session_id, ip, action, object_kind, object_id, object_name, owner, after)
       select $1, 'ss_1', '10.0.0.1', 'cluster.start', 'cluster', 'cl_' || n, E'tab\\there \\\\ and 名', $1, '{"a":1}'
       from generate_series(1, 300) n`,
    [did],
  )
  await source.pool.query(`insert into audit_seals (seq, hash, mac, at) select seq, hash, 'm', now() from audit_head`)
  await source.pool.query(`select nextval('zone_versions') from generate_series(1, 41)`)
})

async function withClients<T>(to: string, work: (from: Client, to: Client) => Promise<T>): Promise<T> {
  const clients = [new Client({ connectionString: source.url }), new Client({ connectionString: to })] as const
  for (const client of clients) {
    client.on('error', () => undefined)
    await client.connect()
  }
  try {
    return await work(...clients)
  } finally {
    for (const client of clients) await client.end()
  }
}

async function withTarget(work: (target: Database & { url: string }) => Promise<void>): Promise<void> {
  await using scratch = await createTestDatabase({ empty: true })
  const database = createDatabase({ connectionString: scratch.url }, { max: 2 })
  try {
    await migrate(database.pool)
    await work({ ...database, url: scratch.url })
  } finally {
    await database.close()
  }
}

/** Definitions and states of triggers and keys between tables. */
async function guardsOf({ pool }: Pick<Database, 'pool'>) {
  const { rows } = await pool.query(`
    select tgrelid::regclass::text || ' ' || tgname || ' ' || tgenabled::text as guard from pg_trigger where not tgisinternal
    union all select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where contype = 'f' order by 1`)
  return rows.map(({ guard }) => guard)
}

test('leaves the target as it was where it is cut off, and moves all when it is run again', async () => {
  await withTarget(async (target) => {
    const before = await guardsOf(target)
    for (const table of ['audit_personal', 'zones'])
      await withClients(target.url, async (from, to) => {
        const query = to.query.bind(to)
        const cut = (...args: Parameters<typeof query>) => {
          const [asked] = args
          // The server ends the session while this table is copied.
          const isIt = typeof asked === 'string' && asked.includes(`from (select`) && asked.includes(`public.${table}`)
          return isIt ? query('select pg_terminate_backend(pg_backend_pid())') : query(...args)
        }
        Object.assign(to, { query: cut })
        await expect(moveRows(from, to)).rejects.toThrow()
      })
    expect(await guardsOf(target)).toEqual(before)
    const { rows } = await target.pool.query('select count(*)::int as count from audit_records')
    expect(rows).toEqual([{ count: 0 }])
    const moved = await withClients(target.url, (from, to) => moveRows(from, to))
    expect(moved.find(({ name }) => name === 'public.audit_records')).toMatchObject({ rows: 300 })
  })
})
