/** Records of before commitments, converted by 0570, and records that lost their personal fields. */
import { randomBytes } from 'node:crypto'
import { createTestDatabase } from '@atoll/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { sealOf } from '../../platform/chain/index.ts'
import { systemClock } from '../../platform/clock.ts'
import { createSealer } from '../../platform/crypto.ts'
import { createDatabase, type Db } from '../../platform/db/index.ts'
import { databaseBefore } from '../../platform/db/testing/database-before.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { recordAudit, recordErasure, verifyAudit } from './index.ts'
import { auditSeal } from './jobs/audit-seal.ts'
import { asSuperuser, rewriteChain } from './tampering.fixture.ts'

const database = useDatabase()
const sealer = createSealer(randomBytes(32))
const [anna, ben] = ['did:key:zAnna', 'did:key:zBen']

async function freshDatabase() {
  const scratch = await createTestDatabase()
  const fresh = createDatabase({ connectionString: scratch.url })
  onTestFinished(async () => {
    await fresh.close()
    await scratch.drop()
  })
  return fresh
}

const act = (db: Db, actor: string, owner: string) =>
  db.transaction().execute((trx) =>
    recordAudit(trx, {
      actor: { userid: actor, sessionId: 'ss_1' },
      ip: '10.0.0.1',
      action: 'cluster.start',
      object: { kind: 'cluster', id: 'cl_1', owner, name: 'Reef' },
    }),
  )
const erase = (db: Db, userid: string) =>
  db
    .transaction()
    .execute((trx) =>
      recordErasure(trx, { userid: 'ac_1', did: userid, actor: { userid: 'ac_1', sessionId: 'ss_2' }, ip: '::1' }),
    )
const seal = (db: Db) =>
  auditSeal({ db, clock: systemClock, sealer }).run(undefined, {
    log: silentLog,
    signal: new AbortController().signal,
    attempt: 1,
  })

test('an erasure takes away what records say of an account, as one who did it and as the owner, and the log stays whole', async () => {
  const { db, pool } = database
  await act(db, anna, anna)
  await act(db, ben, ben)
  await act(db, ben, anna)
  await act(db, anna, anna)
  await act(db, ben, ben)
  await seal(db)
  await erase(db, anna)
  const { rows } = await pool.query('select * from audit_entries where is_erased order by seq')
  expect(rows.map(({ seq, actor, owner, ip, object_id }) => [Number(seq), actor, owner, ip, object_id])).toEqual(
    [1, 3, 4].map((seq) => [seq, null, null, null, null]),
  )
  expect((await pool.query(`select erased from audit_records where action = 'account.erase'`)).rows).toEqual([
    { erased: '1,3-4' },
  ])
  const dump = await pool.query(
    'select audit_records::text as row from audit_records union select audit_personal::text from audit_personal',
  )
  expect(JSON.stringify(dump.rows)).not.toContain(anna)
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: true, records: 6, erased: 3, sealedTo: 5 })

  // A missing record that the erasure does not name is found, and adding it to the erasure later is found too.
  await asSuperuser(pool, 'delete from audit_personal where record = 5')
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: false, seq: 5 })
  await asSuperuser(pool, `update audit_records set erased = '1,3-5' where seq = 6`)
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: false, seq: 6 })
})

test('a record of what an erased account did to what is another’s stays with that other, without who did it', async () => {
  const { db, pool } = await freshDatabase()
  await act(db, anna, ben)
  await act(db, ben, ben)
  await act(db, anna, anna)
  const approval = '{"amount":5,"approval":"eyJ.of-anna.sig"}'
  await pool.query(
    `insert into audit_drafts (actor, action, object_kind, object_id, owner, after)
     values ($1, 'cluster.start', 'cluster', 'cl_1', $2, $3)`,
    [anna, ben, approval],
  )
  await erase(db, anna)
  const { rows } = await pool.query('select * from audit_entries order by seq')
  expect(rows[0]).toMatchObject({ actor: null, ip: null, owner: ben, object_name: 'Reef', is_erased: true })
  expect(rows[1]).toMatchObject({ actor: ben, is_erased: false })
  expect(rows[2]).toMatchObject({ owner: null, object_id: null, is_erased: true })
  expect(JSON.parse(rows[3].after)).toEqual({ amount: 5 })
  const left = await pool.query(
    'select audit_records::text as row from audit_records union select audit_personal::text from audit_personal',
  )
  expect(JSON.stringify(left.rows)).not.toMatch(/zAnna|of-anna/)
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: true, records: 5, erased: 1 })

  // The remaining fields are as protected as any other record's.
  const change = (name: string) =>
    asSuperuser(pool, `update audit_personal set object_name = '${name}' where record = 1`)
  await change('Other')
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: false, seq: 1 })
  await asSuperuser(
    pool,
    `update audit_replaced set commitment = audit_commitment(p) from audit_personal p where p.record = 1 and audit_replaced.record = 1`,
  )
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: false })
  await asSuperuser(pool, 'delete from audit_replaced')
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: false })
})

test('the owner’s own erasure then takes the rest', async () => {
  const { db, pool } = await freshDatabase()
  await act(db, anna, ben)
  await erase(db, anna)
  await erase(db, ben)
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: true, records: 3, erased: 1 })
  expect((await pool.query('select is_erased, owner from audit_entries where seq = 1')).rows).toEqual([
    { is_erased: true, owner: null },
  ])
})

test('records of before commitments are converted once, under their old end and the seals of their time', async () => {
  await using old = await databaseBefore('0570-audit-personal.sql')
  const { db, pool } = old
  const insert = async (actor: string, owner: string) =>
    await pool.query(
      `insert into audit_drafts (actor, session_id, ip, action, object_kind, object_id, object_name, owner, after)
       values ($1, 'ss_1', '10.0.0.1', 'cluster.start', 'cluster', 'cl_1', 'Ré', $2, '{"a":1}')`,
      [actor, owner],
    )
  await insert(ben, ben)
  await insert(ben, anna)
  await insert(ben, ben)
  const { rows } = await pool.query<{ seq: string; hash: string }>('select seq, hash from audit_head')
  const [head] = rows.map(({ seq, hash }) => ({ seq: Number(seq), hash }))
  if (head === undefined) throw new Error('The log has a head')
  await pool.query('insert into audit_seals (seq, hash, mac, at) values ($1, $2, $3, now())', [
    head.seq,
    head.hash,
    sealOf(sealer, { use: 'audit' }, head),
  ])

  await old.migrate()
  const plain = { seq: 2, hash: 'f'.repeat(64) }
  expect(await verifyAudit(db, { sealer, known: head })).toMatchObject({ whole: true, records: 4, sealedTo: 3 })
  expect(await verifyAudit(db, { sealer, known: plain })).toMatchObject({ whole: false, seq: 2 })
  const { rows: converted } = await pool.query('select action, before from audit_entries where seq = 4')
  expect(converted).toEqual([{ action: 'log.convert', before: `{"head" : "3:${head.hash}"}` }])

  // An attacker who rewrites the new chain over changed records does not meet the seals of the old one.
  const change = (object: string) =>
    asSuperuser(pool, `update audit_personal set object_id = '${object}' where record = 2; ${rewriteChain}`)
  await change('cl_2')
  expect(await verifyAudit(db, { sealer })).toMatchObject({ whole: false, seq: 3 })
  await change('cl_1')
  await asSuperuser(pool, `update audit_personal set before = null where record = 4; ${rewriteChain}`)
  expect(await verifyAudit(db, { sealer })).toMatchObject({
    whole: false,
    seq: 4,
    problem: expect.stringContaining('conversion'),
  })
  await asSuperuser(
    pool,
    `update audit_personal set before = '{"head" : "3:${head.hash}"}' where record = 4; ${rewriteChain}`,
  )

  await seal(db)
  await erase(db, anna)
  expect(await verifyAudit(db, { sealer, known: head })).toMatchObject({ whole: true, records: 5, erased: 1 })
  expect(await verifyAudit(db, { sealer, known: plain })).toMatchObject({
    whole: false,
    seq: 2,
    problem: expect.stringContaining('note a newer one'),
  })
})
