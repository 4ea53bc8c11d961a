import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { money } from '@atoll/money'
import { createScriptedWallet, createTestDatabase, operatorProgram, type TestDatabase } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../http/operations/metrics.ts'
import { setMayCreate, setQuota, setRole } from '../modules/accounts/index.ts'
import { recordAudit } from '../modules/audit/index.ts'
import { destroyStrays, resumeSweep } from '../modules/clusters/index.ts'
import { postToLedger } from '../modules/ledger/index.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded/embedded.ts'
import { createDatabase, type Database, migrate } from '../platform/db/index.ts'
import { requireSameKey } from '../platform/keys/index.ts'
import { silentLog } from '../platform/log.ts'

const { did } = createScriptedWallet()
const secretKey = randomBytes(32).toString('base64url')

type Program =
  | 'admin/admin'
  | 'books/audit-verify'
  | 'books/ledger-verify'
  | 'books/usage-verify'
  | 'books/usage-import'

const { PATH = '', NODE_COMPILE_CACHE } = process.env

/** Runs one of the operator's commands. */
async function run(program: Program, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [operatorProgram(`${program}.ts`), ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ATOLL_SECRET_KEY: secretKey, ...env },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out: out.trim(), err: err.trim() }
}

async function insertPerson({ db }: Database): Promise<void> {
  const at = new Date()
  await db.insertInto('dids').values({ did, registered_at: at }).execute()
  await db.insertInto('names').values({ name: 'reef@atoll.test', did, bound_at: at }).execute()
  await db.insertInto('accounts').values({ did, can_create_cluster: true, vcpu_quota: 16, created_at: at }).execute()
}

describe('on the database of DATABASE_URL', () => {
  let scratch: TestDatabase
  let database: Database
  beforeAll(async () => {
    scratch = await createTestDatabase()
    database = createDatabase({ connectionString: scratch.url })
    await insertPerson(database)
  })
  afterAll(async () => {
    await database.close()
    await scratch.drop()
  })
  const admin = (...args: string[]) => run('admin/admin', args, { DATABASE_URL: scratch.url })
  const account = () => database.db.selectFrom('accounts').selectAll().where('did', '=', did).executeTakeFirstOrThrow()

  it('what the operator decides is recorded and published, by ID or DID', async () => {
    const { db } = database
    await setRole(db, 'reef@atoll.test', 'Admin')
    await setQuota(db, did, 8)
    await setMayCreate(db, 'REEF@atoll.test', false)
    expect(await account()).toMatchObject({ role: 'Admin', vcpu_quota: 8, can_create_cluster: false })
    await setRole(db, did, 'User')
    expect(await account()).toMatchObject({ role: 'User' })
    const records = await db.selectFrom('audit_entries').selectAll().orderBy('seq').execute()
    expect(records.map(({ action, actor, owner, before, after }) => [action, actor, owner, before, after])).toEqual([
      ['account.grantAdmin', null, did, '{"role":"User"}', '{"role":"Admin"}'],
      ['account.setQuota', null, did, '{"vCpuQuota":16}', '{"vCpuQuota":8}'],
      ['account.forbidCreate', null, did, '{"canCreateCluster":true}', '{"canCreateCluster":false}'],
      ['account.revokeAdmin', null, did, '{"role":"Admin"}', '{"role":"User"}'],
    ])
    const { account_id: userid } = await account()
    const changes = await db.selectFrom('changes').select(['account', 'topic']).execute()
    expect(changes).toEqual(Array.from({ length: 4 }, () => ({ account: userid, topic: 'account' })))
  })

  it.each([
    ['an ID nobody has', 'nobody@atoll.test', 'No DID has the ID nobody@atoll.test.'],
    ['somebody who never signed in', createScriptedWallet().did, 'has no account here yet'],
    ['an account that is not there', `ac_${'0'.repeat(32)}`, 'There is no account ac_0'],
    ['what is neither', 'reef', '"reef" is neither a DID'],
  ])('what to do about %s is said', async (_, who, problem) => {
    await expect(setRole(database.db, who, 'Admin')).rejects.toThrow(problem)
  })

  it('admin answers in lines, and in one sentence what is wrong', async () => {
    expect((await admin('list')).out.split('\n')[1]).toMatch(new RegExp(`^User +no +8 +reef@atoll\\.test +${did}$`))
    const wrong = await admin('grant', 'nobody@atoll.test')
    expect(wrong).toEqual({ code: 2, out: '', err: 'No DID has the ID nobody@atoll.test.' })
    const nobody = await run('admin/admin', ['list'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' })
    expect(nobody).toMatchObject({ code: 2, err: expect.stringContaining('ECONNREFUSED') })
  })

  it('admin shows where the sweeper waits and what it found, and has it go on', async () => {
    const { db } = database
    const foundAt = new Date('2026-05-04T10:00:00Z')
    await db.insertInto('claims').values({ place: 'reef', problem: 'behind' }).execute()
    await db
      .insertInto('strays')
      .values({ kind: 'instance', object: 'in_stray0000', place: 'reef', found_at: foundAt })
      .execute()
    const shown = await admin('strays')
    expect(shown.out).toContain('Nothing is swept at "reef": this database is older')
    expect(shown.out).toMatch(/\ninstance +in_stray0000 +reef +2026-05-04T10:00:00.000Z +found$/)
    await expect(destroyStrays(db, 'in_other0000')).rejects.toThrow(
      '"in_other0000" is no stray. See npm run admin -- strays',
    )
    expect(await destroyStrays(db, 'all')).toBe(1)
    expect(await db.selectFrom('strays').select('doomed').execute()).toEqual([{ doomed: true }])
    expect(await resumeSweep(db)).toEqual(['reef'])
    expect(await db.selectFrom('claims').select('resume').execute()).toEqual([{ resume: true }])
    const scraped = await createMetrics(database.pool, {
      catalogProblem: () => undefined,
      sweep: async () => ({ paused: ['reef'], strays: 1 }),
    }).text()
    expect(scraped).toContain('atoll_sweep_paused{place="reef"} 1')
    expect(scraped).toContain('atoll_stray_instances 1')
  })

  it('audit:verify ends with 0 for a whole log, with 1 and the first broken record for another', async () => {
    const verify = (...args: string[]) => run('books/audit-verify', args, { DATABASE_URL: scratch.url })
    const nowhere = join(tmpdir(), `atoll-verify-${randomBytes(6).toString('hex')}`)
    const keyless = { DATABASE_URL: scratch.url, ATOLL_SECRET_KEY: '', ATOLL_DATA_DIR: nowhere }
    expect(await run('books/audit-verify', [], keyless)).toMatchObject({
      code: 2,
      err: expect.stringContaining('no secret key'),
    })
    expect(existsSync(nowhere)).toBe(false)
    const whole = await verify()
    expect(whole).toMatchObject({ code: 0, out: expect.stringMatching(/^Whole: \d+ records/) })
    // No server has run here: the check is no first one that leaves the mark of its key.
    expect((await database.pool.query('select name from deployment_facts')).rows).toEqual([])
    await requireSameKey(database.db, [Buffer.alloc(32, 1)])
    expect(await verify()).toMatchObject({ code: 2, err: expect.stringContaining('another secret key') })
    await database.pool.query('delete from deployment_facts')
    const head = whole.out.split('Head ')[1] ?? ''
    await database.db.transaction().execute((trx) =>
      recordAudit(trx, {
        actor: 'system',
        ip: null,
        action: 'account.setQuota',
        object: { kind: 'account', id: did, owner: did },
      }),
    )
    expect(await verify('--head', head)).toMatchObject({ code: 0 })
    const client = await database.pool.connect()
    try {
      await client.query(
        `set session_replication_role = replica; update audit_personal set owner = 'me' where record = 2`,
      )
    } finally {
      client.release(true)
    }
    expect(await verify()).toMatchObject({ code: 1, out: 'BROKEN at record 2: record 2 is not what was written.' })
    expect(await verify('--head', 'soon')).toMatchObject({ code: 2 })
  })

  it('usage:import takes in a file, usage:verify finds a reading that was changed', async () => {
    const env = { DATABASE_URL: scratch.url }
    const folder = mkdtempSync(join(tmpdir(), 'atoll-usage-'))
    const file = join(folder, 'cdn.csv')
    try {
      await database.pool.query(
        `insert into clusters (id, owner, name, cluster_type, host_label, status, desired, created_at, changed_at, checked_at)
          values ('cl_usage', $1, 'usage', 'SelfHost', 'usage', 'running', 'running', now(), now(), now())`,
        [(await account()).account_id],
      )
      const line = 'cl_usage,cdn_traffic,2026-02-01T00:00:00Z,2026-02-02T00:00:00Z,5000'
      writeFileSync(file, ['cluster_id,product_type,from,to,bytes', line].join('\r\n'))
      expect(await run('books/usage-import', [file], env)).toEqual({
        code: 0,
        out: 'Imported: 1 new, 0 corrected, 0 as before.',
        err: '',
      })
      await database.pool.query('alter table meter_readings disable trigger meter_readings_append_only')
      await database.pool.query('update meter_readings set bytes = 4999')
      expect(await run('books/usage-verify', [], env)).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^BROKEN at meter_readings \d+: it is not what was written\.$/),
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('ledger:verify ends with 0 for whole books, with 1 and the first broken row for another, of all or of one', async () => {
    const verify = (...args: string[]) => run('books/ledger-verify', args, { DATABASE_URL: scratch.url })
    const { db, pool } = database
    const { account_id: userid } = await account()
    const about = { userid, at: new Date(), document: 'credit' }
    for (const key of ['first', 'second']) {
      const facts = { amount: money(500, 'usd') }
      await db.transaction().execute((trx) => postToLedger(trx, { ...about, kind: 'adjust', facts, key }))
    }
    expect(await verify()).toMatchObject({ code: 0, out: 'Whole: 2 transactions in 1 books.' })
    expect(await verify('reef@atoll.test')).toMatchObject({ code: 0 })
    expect(await verify(createScriptedWallet().did)).toMatchObject({
      code: 2,
      err: expect.stringContaining('has no account here yet'),
    })
    const client = await pool.connect()
    try {
      const statement = `update ledger_entries set amount_minor = -501 where seq = 2 and account = 'cash'`
      await client.query(`set session_replication_role = replica; ${statement}`)
    } finally {
      client.release(true)
    }
    const broken = `BROKEN at ledger_entries ${userid} 2 2: with -501 on cash the balance is -1001, and not -1000.`
    expect(await verify()).toMatchObject({ code: 1, out: broken })
    expect(await verify(did)).toMatchObject({ code: 1, out: broken })
    expect(await verify('reef')).toMatchObject({ code: 2, err: expect.stringContaining('neither a DID') })
    expect(await verify(did, did)).toMatchObject({ code: 2 })
  })
})

describe('on the embedded database of a data folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-operator-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const admin = (...args: string[]) => run('admin/admin', args, { ATOLL_DATA_DIR: dataDir })

  it('admin works while a server runs on it and while none does, and says when there is none', async () => {
    expect(await admin('list')).toMatchObject({ code: 2, err: expect.stringContaining('There is no deployment in') })
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
    try {
      const database = createDatabase(server.connection)
      await migrate(database.pool)
      await insertPerson(database)
      expect(await admin('grant', did)).toMatchObject({ code: 0, err: '' })
      await database.close()
    } finally {
      await server.stop()
    }
    const after = await admin('list')
    expect(after).toMatchObject({ code: 0, out: expect.stringMatching(/\nAdmin +yes +16 +reef@atoll\.test/) })
  })

  it('a command leaves a database that is older than itself as it is', async () => {
    const onServer = async <T>(work: (database: Database) => Promise<T>) => {
      const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
      const database = createDatabase(server.connection)
      try {
        return await work(database)
      } finally {
        await database.close()
        await server.stop()
      }
    }
    const listMigrations = async ({ pool }: Database) =>
      (await pool.query('select name from schema_migrations order by name')).rows
    const before = await onServer(async (database) => {
      await migrate(database.pool)
      const last = '(select max(name) from schema_migrations)'
      await database.pool.query(`delete from schema_migrations where name = ${last}`)
      return await listMigrations(database)
    })
    const verified = await run('books/audit-verify', [], { ATOLL_DATA_DIR: dataDir })
    expect(verified).toMatchObject({ code: 2, err: expect.stringContaining('is older than this program') })
    expect(await onServer(listMigrations)).toEqual(before)
  })
})
