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

test('moves every row past what numbers and guards tables, which is there again after it', async () => {
  await withTarget(async (target) => {
    // As where an hour has begun since the source ran.
    const partition = 'create table minute_samples_new partition of minute_samples for values from ($$2001-01-01$$) to'
    await target.pool.query(`${partition} ($$2001-01-02$$)`)
    let write: Promise<unknown> | undefined
    const seen: string[] = []
    const moved = await withClients(target.url, async (from, to) => {
      const query = to.query.bind(to)
      const watched = (...args: Parameters<typeof query>) => {
        const [asked] = args
        // A role that starts while it is copied.
        if (typeof asked === 'string' && asked.startsWith('truncate'))
          write = source.pool
            .query(`insert into deployment_facts (name, value) values ('late', '1')`)
            .then(() => seen.push('written'))
        if (asked === 'commit') seen.push('moved')
        return query(...args)
      }
      Object.assign(to, { query: watched })
      return await moveRows(from, to)
    })
    await write
    expect(seen).toEqual(['moved', 'written'])
    expect(moved.length).toBeGreaterThan(100)
    expect(moved.find(({ name }) => name === 'public.audit_records')).toMatchObject({ rows: 300 })
    expect(await guardsOf(target)).toEqual(await guardsOf(source))
    for (const change of ['delete from audit_seals', 'update audit_records set action = $$x$$', 'truncate audit_seals'])
      await expect(target.pool.query(change), change).rejects.toThrow()
    // Sequences continue where they were.
    const { rows } = await target.pool.query(
      `select nextval('zone_versions')::int as next, (select count(*)::int from deployments) as own`,
    )
    const { rows: there } = await source.pool.query(
      `select nextval('zone_versions')::int as next, (select count(*)::int from deployments) as own`,
    )
    expect(rows).toEqual(there)
    const ids = await Promise.all(
      [source, target].map(async ({ pool }) => (await pool.query('select id from deployments')).rows),
    )
    expect(ids[0]).toEqual(ids[1])
  })
})
