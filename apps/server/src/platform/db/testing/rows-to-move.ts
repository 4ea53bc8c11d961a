/** A database with rows that are numbered, guarded and refer to others, and empty ones to move them into. */
import { createScriptedWallet, createTestDatabase } from '@atoll/testkit'
import { Client } from 'pg'
import { beforeAll } from 'vitest'
import { createDatabase, type Database, migrate } from '../index.ts'
import { useDatabase } from './use-database.ts'

export function useRowsToMove() {
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
  return { source, withClients, withTarget }
}

/** Definitions and states of triggers and keys between tables. */
export async function guardsOf({ pool }: Pick<Database, 'pool'>) {
  const { rows } = await pool.query(`
    select tgrelid::regclass::text || ' ' || tgname || ' ' || tgenabled::text as guard from pg_trigger where not tgisinternal
    union all select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where contype = 'f' order by 1`)
  return rows.map(({ guard }) => guard)
}
