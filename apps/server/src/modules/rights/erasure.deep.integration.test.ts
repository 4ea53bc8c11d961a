/** An old backup is restored: an account that was erased since is erased again, wherever that is killed. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { userClose, userInfo } from '@atoll/contract/accounts'
import { createTestDatabase } from '@atoll/testkit'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type TestApp } from '../../authorization/testing/test-app.ts'
import { systemClock } from '../../platform/clock.ts'
import { loadSecretKeys } from '../../platform/data-folder/secret-key.ts'
import { createDatabase } from '../../platform/db/index.ts'
import { dieAtEach } from '../../platform/db/testing/mortal-database.ts'
import { requireSameKey } from '../../platform/keys/index.ts'
import { verifyAudit } from '../audit/index.ts'
import { verifyLedger } from '../ledger/index.ts'
import { endNow, tracesOf } from './closing.fixture.ts'
import { eraseAgain } from './index.ts'

const key = { secretKey: 'a key for this test alone, 32 characters', dataDir: '' }
let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const tablesOf = async (pool: Pool) =>
  (
    await pool.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
    )
  ).rows.map(({ name }) => name)

/** Every row of every table, as a dump has them. */
async function dumpRows(pool: Pool): Promise<Map<string, string>> {
  const dump = new Map<string, string>()
  for (const name of await tablesOf(pool)) {
    const { rows } = await pool.query<{ rows: string }>(
      `select coalesce(jsonb_agg(t), '[]')::text as rows from ${name} t`,
    )
    dump.set(name, rows[0]?.rows ?? '[]')
  }
  return dump
}

/** Into an empty database, without what its triggers and keys would do or refuse, as pg_restore does it. */
async function restoreRows(pool: Pool, dump: ReadonlyMap<string, string>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`set session_replication_role = replica`)
    for (const name of dump.keys()) await client.query(`delete from ${name}`)
    for (const [name, rows] of dump) {
      const { rows: columns } = await client.query<{ list: string }>(
        `select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_attribute
          where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [name],
      )
      const list = columns[0]?.list ?? ''
      await client.query(
        `insert into ${name} (${list}) overriding system value
          select ${list} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
        [rows],
      )
    }
    await client.query(`set session_replication_role = origin`)
  } finally {
    client.release()
  }
}

/** The files below a folder in which one of these texts stands. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )
  return names.filter((name) =>
    texts.some((text) => name.includes(text) || readFileSync(join(folder, name)).includes(text)),
  )
}

it('leaves no DID, name or email in any table or file, and both logs whole', async () => {
  const { db, pool } = app.database
  const person = await app.createPerson()
  await createIds(app.database, person)
  const email = 'lena@lagoon.example'
  await sql`update accounts set email = ${email} where account_id = ${person.userid}`.execute(db)
  await sql`update account_holds set released_at = now()`.execute(db)
  await sql`update snapshots set state = 'Canceled', ended_at = now()`.execute(db)
  await sql`update restores set state = 'Canceled', box = null, ended_at = now()`.execute(db)
  await sql`update invoices set state = 'void' where state = 'open'`.execute(db)
  const name = (await person.api.ask(userInfo, {})).terminusName ?? ''
  const texts = [person.did, name, email]
  mkdirSync(join(app.dataDir, 'outbox'), { recursive: true })
  writeFileSync(join(app.dataDir, 'outbox', '20261126T143100Z-ml_aaaaaaaa.eml'), `To: ${email}`)
  const old = await dumpRows(pool)

  await person.api.ask(userClose, {})
  await endNow(app, person)
  expect(await tracesOf(app, texts)).toEqual([])
  expect(filesWith(app.dataDir, texts)).toEqual([])

  const scratch = await createTestDatabase()
  const restored = createDatabase({ connectionString: scratch.url }, { max: 4 })
  try {
    await restoreRows(restored.pool, old)
    expect(await tracesOf({ database: restored }, texts)).toContain('accounts.did')
    const sealer = await requireSameKey(restored.db, loadSecretKeys(key))
    const config = { dataDir: app.dataDir, retentionYears: 10 }
    const kills = await dieAtEach(scratch.url, async (mortal) => {
      await eraseAgain({ db: mortal.db, clock: systemClock, sealer, config }).catch((error: unknown) => {
        if (!mortal.isDead()) throw error
      })
    })
    expect(kills).toBeGreaterThan(20)
    expect(await tracesOf({ database: restored }, texts)).toEqual([])
    expect(filesWith(app.dataDir, texts)).toEqual([])
    expect(await verifyAudit(restored.db, { sealer })).toMatchObject({ whole: true })
    expect(await verifyLedger(restored.db, { sealer })).toMatchObject({ whole: true })
  } finally {
    await restored.close()
    await scratch.drop()
  }
})
