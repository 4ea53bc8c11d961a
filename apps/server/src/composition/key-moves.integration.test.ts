import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { verifyAudit } from '../modules/audit/index.ts'
import { auditSeal } from '../modules/audit/jobs/audit-seal.ts'
import { createLedger, verifyLedger } from '../modules/ledger/index.ts'
import { usd } from '../modules/ledger/testing/any-facts.ts'
import { insertOwner, post } from '../modules/ledger/testing/ledger-book.ts'
import { systemClock as clock } from '../platform/clock.ts'
import { createSealer, keyIdOf } from '../platform/crypto.ts'
import type { SecretKeys } from '../platform/data-folder/secret-key.ts'
import { dieAtEach } from '../platform/db/testing/mortal-database.ts'
import { useDatabase } from '../platform/db/testing/use-database.ts'
import { type SealedUse, sealedUses } from '../platform/key-uses.ts'
import { checkSameKey, countUses, moveAll, requireSameKey, switchKey } from '../platform/keys/index.ts'
import { silentLog } from '../platform/log.ts'
import { keyMoves } from './key-moves.ts'

const harness = useDatabase()
const [first, second] = [randomBytes(32), randomBytes(32)]
const both: SecretKeys = [first, second]
const old = createSealer(first)
const signal = new AbortController().signal

/** Where the sealed texts of each use are. A use without a place leaves none in the database. */
const places: Record<SealedUse, { table: string; key: string; column: string }[]> = {
  'mail parameters': [{ table: 'mails', key: 'id', column: 'params' }],
  'unsubscribe link': [],
  'archive of erased accounts': [{ table: 'erased_documents', key: 'document_id', column: 'box' }],
  'task parameters': [{ table: 'agent_tasks', key: 'id', column: 'params' }],
  "instance's first password": [{ table: 'agents', key: 'instance_id', column: 'one_time_password' }],
  'tunnel token': [{ table: 'clusters', key: 'id', column: 'cloudflare_token' }],
  'certificate key': [
    { table: 'certificates', key: 'id', column: 'sealed_key' },
    { table: 'acme_orders', key: 'id', column: 'sealed_key' },
  ],
  'key at the authority': [{ table: 'acme_accounts', key: 'directory', column: 'sealed_key' }],
  'key of credentials': [{ table: 'issuer_keys', key: 'did', column: 'sealed' }],
  'seed of statements': [{ table: 'statement_keys', key: 'public_key', column: 'sealed' }],
}

const anyOf: Record<string, string> = {
  text: 'gen_random_uuid()::text',
  'timestamp with time zone': 'now()',
  boolean: 'false',
  jsonb: `'{}'`,
  ARRAY: 'array[gen_random_uuid()::text]',
}

/** A row of which only these columns matter. */
async function insertRow(
  table: string,
  given: Record<string, string>,
  client: { query(text: string, values?: unknown[]): Promise<{ rows: Record<string, string>[] }> },
) {
  const { rows } = await client.query(
    `select column_name as name, data_type as type from information_schema.columns where table_schema = 'public'
       and table_name = $1 and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`,
    [table],
  )
  const needed = rows.filter(({ name = '' }) => !(name in given))
  const names = [...Object.keys(given), ...needed.map(({ name }) => name)]
  const values = [
    ...Object.keys(given).map((_, place) => `$${place + 1}`),
    ...needed.map(({ type = '' }) => anyOf[type] ?? '1'),
  ]
  await client.query(`insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`, Object.values(given))
}

const extra: Record<string, Record<string, string>> = {
  mails: { locale: 'en' },
  acme_orders: { state: 'open' },
  clusters: { cluster_type: 'SelfHost', reverse_proxy: 'cloudflare' },
}

beforeAll(async () => {
  const { db, pool } = harness
  await requireSameKey(db, [first])
  const client = await pool.connect()
  try {
    // Rows of their own, without those that they would hang on.
    await client.query('set session_replication_role = replica')
    await client.query(`do $$ declare c record; begin
      for c in select conrelid::regclass as t, conname as n from pg_constraint where contype = 'c'
        and conrelid::regclass::text in ('mails','agent_tasks','agents','clusters','certificates','acme_orders','acme_accounts','issuer_keys','statement_keys')
      loop execute format('alter table %s drop constraint %I', c.t, c.n); end loop; end $$`)
    for (const use of sealedUses)
      for (const { table, key, column } of places[use])
        for (const row of ['one', 'two']) {
          const sealed = old.seal(use, `${use} ${row}`)
          const text = column === 'params' && table === 'agent_tasks' ? JSON.stringify({ sealed }) : sealed
          await insertRow(
            table,
            {
              ...extra[table],
              [key]: row,
              [column]: text,
              ...(table.endsWith('_keys') && row === 'two' ? { retired_at: '2026-01-01' } : {}),
            },
            client,
          )
        }
  } finally {
    client.release(true)
  }
  const userid = await insertOwner(harness)
  await post(harness, {
    userid,
    at: new Date(),
    document: 'iv_1',
    kind: 'grant',
    facts: { amount: usd(100) },
    key: 'k',
  })
  await pool.query(
    `insert into audit_drafts (actor, session_id, ip, action, object_kind, object_id, object_name, owner, after)
    values ($1, 'ss_1', '10.0.0.1', 'cluster.start', 'cluster', 'cl_1', 'Ré', $1, '{"a":1}')`,
    [userid],
  )
  await seal(old)
})

/** As a worker does each minute. */
async function seal(sealer: ReturnType<typeof createSealer>): Promise<void> {
  const deps = { db: harness.db, clock, sealer }
  for (const job of [auditSeal(deps), ...createLedger(deps).jobs])
    await job.run({}, { signal, log: silentLog, attempt: 1 })
}

async function textsOf(use: SealedUse): Promise<string[]> {
  const found: string[] = []
  for (const { table, key, column } of places[use]) {
    const { rows } = await harness.pool.query(`select ${column} as value from ${table} order by ${key}`)
    found.push(...rows.map(({ value }) => (typeof value === 'string' ? value : value.sealed)))
  }
  return found
}

test('a deployment comes to another key wherever it is killed, and the old one is good for nothing then', async () => {
  const { db } = harness
  await switchKey(db, second, clock.now())
  const sealer = await checkSameKey(db, both)
  expect(sealer.keyId).toBe(keyIdOf(second))
  const moves = keyMoves({})
  const before = await countUses({ db, clock, sealer }, moves)
  const counted = Object.fromEntries(before.uses.map(({ use, count }) => [use, count]))
  for (const use of sealedUses) if (places[use].length > 0) expect(counted[use], use).toBe(2 * places[use].length)
  expect(counted).toMatchObject({ 'audit records': 1, ledger: 1 })

  const died = await dieAtEach(harness.url, async (mortal) => {
    await moveAll({ db: mortal.db, clock, sealer }, moves, signal).catch((error: unknown) => {
      if (!mortal.isDead()) throw error
    })
  })
  expect(died).toBeGreaterThan(20)

  const after = await countUses({ db, clock, sealer }, moves)
  const minutes = ['estimate', 'refund estimate', 'sandbox card', 'sandbox confirm', 'sandbox webhooks']
  expect(after.uses.filter(({ count }) => count > 0).map(({ use }) => use)).toEqual(minutes)
  expect(after.problem).toBeUndefined()
  const alone = await checkSameKey(db, [second])
  for (const use of sealedUses) {
    const texts = await textsOf(use)
    expect(texts.map((text) => alone.open(use, text))).toEqual(places[use].flatMap(() => [`${use} one`, `${use} two`]))
    for (const text of texts) expect(() => old.open(use, text)).toThrow()
  }
  expect(await verifyAudit(db, { sealer: alone })).toMatchObject({ whole: true, sealedTo: 1 })
  expect(await verifyLedger(db, { sealer: alone })).toMatchObject({ whole: true, books: 1 })
  // The next seals are by the new key, beside those that were made again.
  await seal(alone)
  expect(await verifyAudit(db, { sealer: alone })).toMatchObject({ whole: true })
  await expect(checkSameKey(db, [first])).rejects.toThrow(/another secret key/)
})

test('no seal is made again of a chain that was changed', async () => {
  const { db, pool } = harness
  const third = randomBytes(32)
  await switchKey(db, third, clock.now())
  const sealer = await checkSameKey(db, [second, third])
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(`update audit_personal set object_id = 'cl_2' where record = 1`)
    await client.query(`update mails set params = 'v1.AAAA' where id = 'one'`)
  } finally {
    client.release(true)
  }
  const problem = await moveAll({ db, clock, sealer }, keyMoves({}), signal)
  expect(problem).toMatch(/audit records: the audit log breaks at record 1/)
  expect(problem).toMatch(/mail parameters: mails one could not be sealed again/)
  const { uses } = await countUses({ db, clock, sealer }, keyMoves({}))
  // Undamaged values have moved nevertheless.
  expect(
    uses.filter(({ use }) => ['mail parameters', 'audit records', 'ledger', 'tunnel token'].includes(use)),
  ).toEqual(
    expect.arrayContaining([
      { use: 'mail parameters', count: 1 },
      { use: 'audit records', count: 1 },
      { use: 'ledger', count: 0 },
      { use: 'tunnel token', count: 0 },
    ]),
  )
})
