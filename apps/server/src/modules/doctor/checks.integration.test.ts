import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { setFact } from '../../platform/facts/index.ts'
import { nameBeside, saveProvenAt } from '../self-backup/index.ts'
import type { Patient } from './check.ts'
import { allChecks } from './checks/all-checks.ts'
import type { CheckContext } from './context.ts'
import { examine } from './examine.ts'
import { reportText } from './report-text.ts'
import { catalogOf, now, wellConfig, wellHarness } from './testing/well-harness.ts'

const { version } = wellConfig
const database = useDatabase()
const day = 24 * 60 * 60_000
const run = (text: string) => database.pool.query(text)

function patientOf(context: Partial<CheckContext> = {}): Patient {
  return {
    db: database.db,
    pool: database.pool,
    config: wellConfig,
    readCatalog: async () => catalogOf('lxd'),
    // The clock of the database is the real one.
    context: { ...wellHarness, now: () => new Date(), outsideTime: async () => new Date(), ...context },
  }
}
const look = async (name: string, patient = patientOf()) => {
  const check = allChecks.find((one) => one.name === name)
  if (!check) throw new Error(`There is no check ${name}`)
  return await check.look(patient)
}

const process = (id: string, of: { version?: string; ahead?: number } = {}) =>
  run(`insert into heartbeats (process, number, at, version, host, roles, ahead_ms)
    values ('${id}', 1, now(), '${of.version ?? version}', '${id}', 'api', ${of.ahead ?? 0})`)

beforeEach(() => run('delete from heartbeats'))

test('a schema that lacks a migration is told, with the command', async () => {
  expect(await look('schema')).toMatchObject({ state: 'passed' })
  const { rows } = await run(`delete from schema_migrations where name = '1027-backups.sql' returning *`)
  expect(await look('schema')).toMatchObject({
    state: 'failed',
    found: expect.stringContaining('1027-backups.sql'),
    commands: ['atollctl migrate'],
  })
  await database.pool.query(
    'insert into schema_migrations select * from jsonb_populate_record(null::schema_migrations, $1)',
    [JSON.stringify(rows[0])],
  )
})

test('a database that only reads is told', async () => {
  expect(await look('writes')).toMatchObject({ state: 'passed' })
  const readOnly = { ...patientOf() }
  const found = await database.db.connection().execute(async (db) => {
    await sql`set default_transaction_read_only = on`.execute(db)
    const finding = await look('writes', { ...readOnly, db })
    await sql`set default_transaction_read_only = off`.execute(db)
    return finding
  })
  expect(found).toMatchObject({ state: 'failed', found: expect.stringContaining('read-only') })
})

test('processes of another version, and hosts with another time, are named', async () => {
  expect(await look('same-version')).toMatchObject({ state: 'skipped' })
  await process('hel-1')
  expect(await look('same-version')).toMatchObject({ state: 'passed' })
  expect(await look('time')).toMatchObject({ state: 'passed' })
  await process('hel-2', { version: '1.1.0', ahead: 4000 })
  expect(await look('same-version')).toMatchObject({ state: 'warning', found: expect.stringContaining('hel-2') })
  expect(await look('time')).toMatchObject({ state: 'failed', found: expect.stringContaining('hel-2: 4.0 s') })
  const late = patientOf({ now: () => new Date(Date.now() - 60_000) })
  expect(await look('time', late)).toMatchObject({ found: expect.stringContaining('this machine: -60') })
})

test('without a standby nothing is looked at; a synchronous one that is not there is told', async () => {
  expect(await look('standby')).toMatchObject({ state: 'skipped' })
  const found = await database.db.connection().execute(async (db) => {
    // Of the whole server, and only set in a file: the setting is shown as if it were.
    await sql`create temporary view pg_stat_replication as
      select 'standby-1' as application_name, 'catchup' as state, 'async' as sync_state, interval '90 s' as replay_lag`.execute(
      db,
    )
    await sql`set search_path = pg_temp, pg_catalog, public`.execute(db)
    const finding = await look('standby', { ...patientOf(), db })
    await sql`drop view pg_temp.pg_stat_replication`.execute(db)
    await sql`reset search_path`.execute(db)
    return finding
  })
  expect(found).toMatchObject({ state: 'warning', found: expect.stringContaining('standby-1 is catchup, 90 s behind') })
})

test('a full disk of PostgreSQL names the largest tables', async () => {
  const full = patientOf({ spaceOf: async () => ({ total: 200e9, free: 5e9 }) })
  expect(await look('database-disk')).toMatchObject({ state: 'passed' })
  expect(await look('database-disk', full)).toMatchObject({
    state: 'failed',
    mend: expect.stringMatching(/The largest tables: \w+ \d+ MB, /),
  })
  expect(await look('vault-room', full)).toMatchObject({ state: 'failed' })
})

test('a vault at its reserve is told', async () => {
  expect(await look('vault-room')).toMatchObject({ state: 'passed' })
  await setFact(database.db, 'vault at reserve', now.toISOString())
  expect(await look('vault-room')).toMatchObject({ state: 'failed', found: expect.stringContaining('refused') })
})

test('an own backup that is old or was never proven is told', async () => {
  expect(await look('own-backup-age')).toMatchObject({ state: 'failed', found: 'None was ever taken.' })
  await setFact(database.db, 'self backup taken at', new Date(Date.now() - 4 * day).toISOString())
  expect(await look('own-backup-age')).toMatchObject({ state: 'failed', found: 'The newest is 4 days old.' })
  await setFact(database.db, 'self backup taken at', new Date().toISOString())
  expect(await look('own-backup-age')).toMatchObject({ state: 'passed' })
  expect(await look('drill')).toMatchObject({ state: 'warning' })
  await saveProvenAt(database.db, new Date(Date.now() - 31 * day))
  expect(await look('drill')).toMatchObject({ state: 'warning', found: 'The newest is 31 days old.' })
  await saveProvenAt(database.db, new Date())
  expect(await look('drill')).toMatchObject({ state: 'passed' })
})

test('what a killed backup, proof or restore left is told, and what is kept on purpose is not', async () => {
  expect(await look('leftovers')).toMatchObject({ state: 'passed' })
  const at = new Date('2026-11-28T10:15:00Z')
  const config = { ...wellConfig, databaseUrl: 'postgres://reef@db/reef_of_this_test' }
  const patient = { ...patientOf(), config }
  const [restored, proof, before] = (['restored', 'proof', 'before'] as const).map((kind) =>
    nameBeside('reef_of_this_test', kind, at),
  )
  try {
    await run(`create database ${before}`)
    expect(await look('leftovers', patient)).toEqual({ state: 'passed', found: `kept on purpose: ${before}` })
    for (const name of [restored, proof]) await run(`create database ${name}`)
    expect(await look('leftovers', patient)).toMatchObject({
      state: 'warning',
      commands: [`dropdb ${restored}`, `dropdb ${proof}`],
    })
  } finally {
    for (const name of [restored, proof, before]) await run(`drop database if exists ${name}`)
  }
  const half = patientOf({ listHalfDumps: async () => [at] })
  expect(await look('leftovers', half)).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('half a dump of 2026-11-28'),
  })
})

test('charges without a webhook are told', async () => {
  expect(await look('webhooks')).toMatchObject({ state: 'skipped', found: 'no card was charged yet' })
  await database.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    await sql`insert into payments (id, userid, invoice_id, state, currency, promo_minor, balance_minor, rolled_minor,
        card_minor, collected_minor, method_id, gateway, gateway_ref, round, created_at, ended_at)
      values ('pay_1', 'did:x', 'inv_1', 'succeeded', 'usd', 0, 0, 0, 100, 100, 'pm_1', 'stripe', 'pi_1', 0,
        now() - interval '3 hours', now() - interval '3 hours')`.execute(db)
    await sql`set session_replication_role = origin`.execute(db)
  })
  expect(await look('webhooks')).toMatchObject({
    state: 'failed',
    mend: expect.stringContaining('/pay/webhook/stripe'),
  })
  await run(`insert into gateway_events (gateway, id, received_at) values ('stripe', 'evt_1', now())`)
  expect(await look('webhooks')).toMatchObject({ state: 'passed' })
})

test('without the database what needs it is not looked at, and the rest is', async () => {
  const report = await examine(patientOf(), { checks: allChecks, databaseProblem: 'It cannot be used: ECONNREFUSED.' })
  expect(report.failed).toBe(1)
  expect(report.checks.length).toBe(allChecks.length + 1)
  expect(report.skipped).toBe(allChecks.filter(({ needsDatabase }) => needsDatabase).length)
  expect(reportText(report)).toContain('    Mend: Start PostgreSQL')
})
