import { randomBytes } from 'node:crypto'
import type { AuditAction } from '@atoll/contract/audit'
import { createTestDatabase } from '@atoll/testkit'
import { describe, expect, it, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createSealer } from '../../platform/crypto.ts'
import { createDatabase, type Trx } from '../../platform/db/index.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { countRecords, recordsOf } from './audit-store.ts'
import { recordAudit, verifyAudit } from './index.ts'
import { auditSeal } from './jobs/audit-seal.ts'
import { asSuperuser, rewriteChain } from './tampering.fixture.ts'

const sealer = createSealer(randomBytes(32))
const database = useDatabase({ max: 12 })

const actor = { userid: 'did:key:zActor', sessionId: 'ss_1' }
const write = (trx: Trx, id: string, action: Extract<AuditAction, `cluster.${string}`> = 'cluster.start') =>
  recordAudit(trx, {
    actor,
    ip: '10.0.0.1',
    action,
    object: { kind: 'cluster', id, owner: 'did:key:zOwner', name: `Ré ${id} 珊瑚` },
    before: { status: 'stopped', b: null, a: 1 },
    after: { status: 'starting', ok: true },
  })
const transact = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work)
const verify = () => verifyAudit(database.db, { sealer })
const jobContext = { log: silentLog, signal: new AbortController().signal, attempt: 1 }
const seal = () => auditSeal({ db: database.db, clock: systemClock, sealer }).run(undefined, jobContext)
const head = () => database.db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()
const sql = (text: string) => database.pool.query(text)

describe('the log', () => {
  it('holds what was committed, whole and with the facts in order, and nothing else', async () => {
    const lost = transact(async (trx) => {
      await write(trx, 'cl_lost')
      throw new Error('rolled back')
    })
    await expect(lost).rejects.toThrow('rolled back')
    await transact((trx) => write(trx, 'cl_kept'))
    const reader = { did: 'did:key:zOwner', role: 'User' as const }
    const rows = await recordsOf(database.db, reader, {}).limit(10).execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      actor: 'did:key:zActor',
      session_id: 'ss_1',
      ip: '10.0.0.1',
      action: 'cluster.start',
      object_id: 'cl_kept',
      object_name: 'Ré cl_kept 珊瑚',
      owner: 'did:key:zOwner',
      before: '{"a":1,"b":null,"status":"stopped"}',
    })
    expect((await sql('select from audit_drafts')).rowCount).toBe(0)
    expect(await verify()).toMatchObject({ whole: true, records: rows[0]?.seq })
  })

  it('chains what many write at once, in the order of their commits, and keeps nobody waiting on one that is slow', async () => {
    const gate = Promise.withResolvers<void>()
    const wrote = Promise.withResolvers<void>()
    const slow = transact(async (trx) => {
      await write(trx, 'cl_slow')
      wrote.resolve()
      await gate.promise
    })
    await wrote.promise
    await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        for (let m = 0; m < 10; m += 1) await transact((trx) => write(trx, `cl_${n}_${m}`))
      }),
    )
    gate.resolve()
    await slow
    const { rows } = await sql('select object_id from audit_entries order by seq desc limit 1')
    expect(rows).toEqual([{ object_id: 'cl_slow' }])
    expect(await verify()).toMatchObject({ whole: true })
  })

  it('shows a person what they did and what was done to theirs, an Admin everything', async () => {
    const count = (did: string, role: 'User' | 'Admin' = 'User') => countRecords(database.db, { did, role }, {})
    const all = (await head()).seq
    await transact((trx) =>
      recordAudit(trx, {
        actor: 'system',
        ip: null,
        action: 'account.grantAdmin',
        object: { kind: 'account', id: 'did:key:zOther', owner: 'did:key:zOther' },
      }),
    )
    expect(await count('did:key:zActor')).toBe(all)
    expect(await count('did:key:zOwner')).toBe(all)
    expect(await count('did:key:zOther')).toBe(1)
    expect(await count('did:key:zNobody')).toBe(0)
    expect(await count('did:key:zNobody', 'Admin')).toBe(all + 1)
  })

  test.each([
    'update audit_records set action = action',
    'update audit_personal set actor = null',
    'delete from audit_personal where record = 1',
    'truncate audit_personal',
    'delete from audit_records where seq = 1',
    'truncate audit_records',
    'delete from audit_seals',
    'truncate audit_seals',
  ])('is append-only for everybody, its own user included: %s', async (statement) => {
    await seal()
    await expect(sql(statement)).rejects.toThrow(/append-only/)
  })
})

const endAt3 = `delete from audit_records where seq > 3;
  update audit_head set (seq, hash) = (select seq, hash from audit_records where seq = 3);`

describe('somebody with a superuser’s rights who tampers with five records, the first four of them sealed', () => {
  /** The verdict after `statements`, on a database of its own. */
  async function verdictAfter(statements: string) {
    await using test = await createTestDatabase()
    const { db, pool, close } = createDatabase({ connectionString: test.url })
    try {
      const add = (id: string) => db.transaction().execute((trx) => write(trx, id))
      for (const id of ['cl_1', 'cl_2', 'cl_3', 'cl_4']) await add(id)
      await auditSeal({ db, clock: systemClock, sealer }).run(undefined, jobContext)
      await add('cl_5')
      const known = await db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
      expect(await verifyAudit(db, { sealer })).toEqual({
        whole: true,
        records: 5,
        erased: 0,
        hash: known.hash,
        sealedTo: 4,
      })
      await asSuperuser(pool, statements)
      return { plain: await verifyAudit(db, { sealer }), noted: await verifyAudit(db, { sealer, known }) }
    } finally {
      await close()
    }
  }

  it.each([
    [
      'changes who it was',
      `update audit_personal set actor = 'did:key:zElse' where record = 2`,
      2,
      'not what was written',
    ],
    [
      'changes nobody to an empty name',
      `update audit_personal set ip = '' where record = 3`,
      3,
      'not what was written',
    ],
    [
      'moves the time by a microsecond',
      `update audit_records set at = at + '1 microsecond' where seq = 2`,
      2,
      'not what',
    ],
    [
      'moves a letter over to the next field',
      `update audit_records set session_id = 'ss_1c', action = 'luster.start' where seq = 4`,
      4,
      'not what',
    ],
    ['takes away what one says of people', 'delete from audit_personal where record = 3', 3, 'no erasure says so'],
    ['takes one out', 'delete from audit_records where seq = 3', 3, 'missing'],
    [
      'takes one out and closes the gap',
      'delete from audit_records where seq = 3; update audit_records set seq = seq - 1 where seq > 3',
      3,
      'not what was written',
    ],
    ['takes the last ones away', 'delete from audit_records where seq > 3', 4, 'records 4 to 5 are missing at the end'],
    ['takes the last ones away and moves the head', endAt3, 4, 'records 4 to 4 are missing at the end'],
    [
      'writes the whole chain again',
      `update audit_personal set actor = 'did:key:zElse' where record = 2; ${rewriteChain}`,
      4,
      'sealed',
    ],
    ['makes a seal', `update audit_seals set hash = repeat('a', 64)`, 4, 'key'],
    [
      'adds one at the end',
      `insert into audit_personal select 6, salt, actor, ip, object_id, object_name, owner, before, after
         from audit_personal where record = 5;
       insert into audit_records select 6, at, session_id, action, object_kind, commitment, null,
         audit_hash(hash, row(6, at, session_id, action, object_kind, commitment, null, null, null)::audit_records)
         from audit_records where seq = 5`,
      6,
      'behind the back',
    ],
    [
      'adds one before the first',
      'insert into audit_records select 0, at, session_id, action, object_kind, commitment, null, hash from audit_records where seq = 1',
      0,
      'begins with 1',
    ],
    ['removes the head', 'delete from audit_head', 5, 'head'],
    [
      'removes everything but the seals',
      `delete from audit_records; update audit_head set seq = 0, hash = repeat('0', 64)`,
      1,
      'missing',
    ],
  ])('and %s is reported with its place', async (_, statements, seq, problem) => {
    expect((await verdictAfter(statements)).plain).toEqual({
      whole: false,
      seq,
      problem: expect.stringContaining(problem),
    })
  })

  it('and takes away everything that was written later, seals and all, is found by a head that was noted elsewhere', async () => {
    const verdict = await verdictAfter(`delete from audit_seals; ${endAt3}`)
    expect(verdict.plain).toMatchObject({ whole: true, records: 3 })
    expect(verdict.noted).toEqual({ whole: false, seq: 4, problem: 'records 4 to 5 are missing at the end' })
  })
})
