/** A database from before tables referred to accounts by their ids: migration 0800 converts each row. */
import { createScriptedWallet } from '@atoll/testkit'
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../platform/db/testing/database-before.ts'
import { verifyReadings } from '../usage/readings/verify-readings.ts'
import { findAccountOfDid } from './index.ts'

/** Columns without a key to `accounts` that held a DID, besides those that have one. */
const withoutKey = [
  ...['alert_events', 'backup_chores', 'client_snapshots', 'cluster_hosts', 'proofs', 'restores', 'snapshots'],
  'vault_uploads',
].map((table) => [table, 'owner'] as const)
const others = [
  ...['ledger_transactions', 'ledger_entries', 'ledger_balances', 'ledger_seals'].map(
    (table) => [table, 'book'] as const,
  ),
  ...([
    ['acme_orders', 'account'],
    ['operations', 'asked_by'],
    ['changes', 'account'],
    ['changes', 'object_id'],
    ['watchers', 'account'],
    ['presentation_nonces', 'holder'],
    ['invitation_mails', 'sender'],
    ['domain_transfers', 'from_did'],
    ['deployment_facts', 'value'],
  ] as const),
] as const

const dummies: Record<string, string> = {
  text: `'x'`,
  boolean: 'false',
  jsonb: `'{}'`,
  json: `'{}'`,
  bytea: `'\\x00'`,
  ARRAY: `'{}'`,
  date: 'now()',
  'timestamp with time zone': 'now()',
}

/** One row in each of these tables, with the DID in these columns and anything that fits in the rest. */
async function fill(pool: Pool, columns: readonly (readonly [table: string, column: string])[], did: string) {
  const own = Map.groupBy(columns, ([table]) => table)
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const [table, held] of own) {
      const checks = await client.query<{ name: string }>(
        `select conname as name from pg_constraint where contype = 'c' and conrelid = $1::regclass`,
        [table],
      )
      for (const { name } of checks.rows) await client.query(`alter table ${table} drop constraint ${name}`)
      const { rows } = await client.query<{ name: string; type: string }>(
        `select column_name as name, data_type as type from information_schema.columns
          where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null
            and is_identity = 'NO' and is_generated = 'NEVER'`,
        [table],
      )
      const values = new Map(rows.map(({ name, type }) => [name, dummies[type] ?? '1']))
      for (const [, column] of held) values.set(column, `'${did}'`)
      await client.query(`insert into ${table} (${[...values.keys()]}) values (${[...values.values()]})`)
    }
  } finally {
    client.release(true)
  }
}

test('every column that held the DID of an account holds its id, whose key it refers to', async () => {
  await using old = await databaseBefore('0800-account-references.sql')
  const { db, pool } = old
  const { did } = createScriptedWallet()
  await pool.query('insert into accounts (userid, can_create_cluster, created_at) values ($1, true, now())', [did])
  const { rows: keyed } = await pool.query<{ table: string; column: string }>(
    `select con.conrelid::regclass::text as table, att.attname as column from pg_constraint con
      join pg_attribute att on att.attrelid = con.conrelid and att.attnum = con.conkey[1]
      where con.contype = 'f' and con.confrelid = 'accounts'::regclass
        and pg_get_constraintdef(con.oid) like '%accounts(userid)%'`,
  )
  const columns = [...keyed.map(({ table, column }) => [table, column] as const), ...withoutKey, ...others]
  expect(columns.length).toBeGreaterThan(60)
  const isMetered = ([table]: readonly [string, string]) => table === 'meter_readings'
  await fill(
    pool,
    columns.filter((one) => !isMetered(one)),
    did,
  )
  // As they were metered, with what counts them.
  await pool.query(
    `insert into meter_readings (owner, cluster_id, series, product_type, from_at, bytes, source_key, seq, taken_at)
      values ($1, 'x', 'x', 'cloud_backup', now(), 7, 'x', 1, now())`,
    [did],
  )
  await pool.query(
    `select graphile_worker.add_job('billing.account', json_build_object('userid', $1::text),
      job_key => 'account:' || $1, flags => array['account:' || $1])`,
    [did],
  )
  expect(await verifyReadings(db)).toEqual({ whole: true, readings: 1 })

  await old.migrate()
  const userid = await findAccountOfDid(db, did)
  expect(userid).toMatch(/^ac_/)
  for (const [table, column] of columns) {
    const name = column === 'from_did' ? 'from_userid' : column
    const { rows } = await pool.query(`select ${name} as value from ${table}`)
    expect([table, name, rows]).toEqual([table, name, [{ value: userid }]])
  }
  expect(await verifyReadings(db)).toEqual({ whole: true, readings: 1 })
  const { rows: jobs } = await pool.query('select payload, key, flags from graphile_worker._private_jobs')
  const named = `account:${userid}`
  expect(jobs).toEqual([{ payload: { userid }, key: named, flags: { [named]: true } }])
  const { rows: left } = await pool.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
      where contype = 'f' and confrelid = 'accounts'::regclass`,
  )
  expect(left.length).toBeGreaterThanOrEqual(keyed.length + withoutKey.length)
  expect(left.filter(({ definition }) => !definition.includes('accounts(account_id)'))).toEqual([])
})
