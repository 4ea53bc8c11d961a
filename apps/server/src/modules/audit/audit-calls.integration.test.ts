import { auditExportPath, auditPage } from '@atoll/contract/audit'
import { mostExportedRows, type Role } from '@atoll/contract/wire'
import { createApiClient } from '@atoll/testkit'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mountCalls } from '../../http/calls.ts'
import { acceptBodies } from '../../http/request/body.ts'
import { createHttpServer } from '../../http/server.ts'
import { systemClock } from '../../platform/clock.ts'
import { createSealer } from '../../platform/crypto.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { refuse } from '../../platform/refusal.ts'
import { createAudit } from './index.ts'

const people: Record<string, Role> = { 'did:key:zOwner': 'User', 'did:key:zBusy': 'User', 'did:key:zAdmin': 'Admin' }
const database = useDatabase()
let app: FastifyInstance
let origin: string

beforeAll(async () => {
  await insertRecords('did:key:zOwner', 1, 2500)
  await insertRecords('did:key:zBusy', 2501, mostExportedRows + 1)
  app = await createHttpServer({
    config: { publicUrl: 'http://localhost', trustProxy: 0, rateFactor: 1000, signInRatePerMinute: 1_000_000 },
    log: silentLog,
    metrics: { observe: () => undefined },
  })
  acceptBodies(app)
  const expiresAt = new Date(Date.now() + 60_000)
  const authenticate = async (did: string) => {
    const role = people[did]
    return role ? { userid: 'ac_test', did, sessionId: 'ss_test', role, expiresAt } : refuse('signedOut')
  }
  const sealer = createSealer(Buffer.alloc(32, 7))
  const audit = createAudit({ db: database.db, clock: systemClock, sealer, authenticate })
  mountCalls(app, audit.routes, authenticate)
  await app.register(audit.plugin)
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
})

/** Records as such, without a chain: `count` of them from `first` on, a minute apart, every tenth by an Admin. */
async function insertRecords(owner: string, first: number, count: number): Promise<void> {
  await database.pool.query(
    `with personal as (
       insert into audit_personal (record, actor, ip, object_id, object_name, owner)
       select n, case when n % 10 = 0 then 'did:key:zAdmin' else $1 end, '10.0.0.' || n % 250, 'cl_' || n % 7, 'Reef', $1
       from generate_series($2::int, $2::int + $3::int - 1) as n returning record as n
     )
     insert into audit_records (seq, at, session_id, action, object_kind, commitment, hash)
     select n, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 minute', 'ss_' || n,
       case when n % 2 = 0 then 'cluster.stop' else 'cluster.start' end, 'cluster', repeat('0', 64), repeat('0', 64)
     from personal`,
    [owner, first, count],
  )
}

const ask = (userid: string, body: object) => createApiClient(origin, { userid, token: 'good' }).ask(auditPage, body)
const exportAs = (userid: string, body: object = {}) =>
  fetch(origin + auditExportPath, {
    method: 'POST',
    headers: { userid, token: 'good', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

it('pages through a person’s own, newest first, every record once', async () => {
  const seen: number[] = []
  for (let page = 1; page <= 26; page += 1) {
    const answer = await ask('did:key:zOwner', { page, rowsPerPage: 100 })
    expect(answer).toMatchObject({ page, rowsPerPage: 100, rowsNumber: 2500 })
    seen.push(...answer.records.map(({ seq }) => seq))
  }
  expect(seen).toEqual(Array.from({ length: 2500 }, (_, at) => 2500 - at))
  expect((await ask('did:key:zOwner', {})).records).toHaveLength(20)
})

it.each([
  [{ action: 'cluster.stop' }, 1250],
  [{ kind: 'session' }, 0],
  [{ object: 'cl_3' }, 357],
  [{ sessionId: 'ss_12345678' }, 0],
  [{ from: '2026-01-01T01:00:00Z', to: '2026-01-01T02:00:00Z' }, 60],
  [{ from: '2026-01-02T00:00:00+08:00', action: 'cluster.stop' }, 771],
])('%j finds %i', async (filter, count) => {
  expect((await ask('did:key:zOwner', filter)).rowsNumber).toBe(count)
})

it('shows an Admin alone where somebody else did it from', async () => {
  const byAdmin = async (reader: string) =>
    (await ask(reader, { object: 'cl_1' })).records.find(({ actor }) => actor?.userid === 'did:key:zAdmin')
  expect(await byAdmin('did:key:zOwner')).toMatchObject({ ip: null, sessionId: null })
  expect(await byAdmin('did:key:zAdmin')).toMatchObject({ ip: expect.stringContaining('10.0.0.') })
  const own = (await ask('did:key:zOwner', {})).records.find(({ actor }) => actor?.userid === 'did:key:zOwner')
  expect(own).toMatchObject({ ip: expect.stringContaining('10.0.0.') })
})

it.each([
  [{ page: 0 }, 'page'],
  [{ rowsPerPage: 101 }, 'rowsPerPage'],
  [{ action: 'cluster.explode' }, 'action'],
  [{ from: 'yesterday' }, 'from'],
  // PostgreSQL knows no text with a zero in it.
  [{ object: 'cl_\u00003' }, 'object'],
  [{ surprise: 1 }, 'surprise'],
])('refuses %j by name', async (body, field) => {
  const answer = await createApiClient(origin, { userid: 'did:key:zOwner', token: 'good' }).send(
    auditPage,
    body as object,
  )
  expect(answer).toMatchObject({ code: 501, message: expect.stringContaining(field) })
})

it('exports all that a choice matches, in several readings, each record once', async () => {
  const response = await exportAs('did:key:zOwner')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await response.text()).trimEnd().split('\r\n')
  expect(lines.slice(1).map((line) => Number(line.split(',')[0]?.replaceAll('"', '')))).toEqual(
    Array.from({ length: 2500 }, (_, at) => 2500 - at),
  )
  expect((await (await exportAs('did:key:zOwner', { object: 'cl_3' })).text()).trimEnd().split('\r\n')).toHaveLength(
    358,
  )
})

it('says how many records are too many to export, and by which field a choice is wrong', async () => {
  expect(await (await exportAs('did:key:zBusy')).json()).toEqual({
    code: 413,
    message: `This would export ${mostExportedRows + 1} records; at most ${mostExportedRows} at a time. Choose a shorter time.`,
  })
  expect(await (await exportAs('did:key:zOwner', { page: 2 })).json()).toMatchObject({
    code: 501,
    message: expect.stringContaining('page'),
  })
  expect(await (await exportAs('did:key:zNobody')).json()).toMatchObject({ code: 506 })
})
