import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { logout } from '@atoll/contract/accounts'
import { backupCreate, backupSave } from '@atoll/contract/backups'
import { createCluster, instanceDetails, selfHostCommand } from '@atoll/contract/clusters'
import * as contract from '@atoll/contract/everything'
import { type Call, codes, type Envelope } from '@atoll/contract/wire'
import {
  type ApiClient,
  createApiClient,
  createScriptedWallet,
  createTestDatabase,
  type TestDatabase,
} from '@atoll/testkit'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compose, type System } from '../composition/compose.ts'
import { loadConfig } from '../config.ts'
import { createConsoleApp } from '../http/app.ts'
import { insertVoidOrder } from '../modules/billing/testing/void-order.ts'
import { insertInstance } from '../modules/clusters/instances/instance-store.ts'
import { newId } from '../platform/crypto.ts'
import { createDatabase, type Database } from '../platform/db/index.ts'
import { silentLog } from '../platform/log.ts'
import { callRows, endpointRows, type Ids, type Reach } from './authorization-table.fixture.ts'

const calls = Object.values(contract as Record<string, unknown>).filter(
  (value): value is Call => typeof value === 'object' && value !== null && 'path' in value && 'auth' in value,
)
const project = fileURLToPath(new URL('../../../..', import.meta.url))

let scratch: TestDatabase
let database: Database
let dataDir: string
let system: System
let app: FastifyInstance
let origin: string
/** `METHOD path` of everything that was mounted. */
const mounted = new Set<string>()

function noteRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance } // what Fastify publishes on this channel
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) if (each !== 'HEAD') mounted.add(`${each} ${url}`)
  })
}

beforeAll(async () => {
  scratch = await createTestDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'atoll-authorization-'))
  const connection = { connectionString: scratch.url }
  database = createDatabase(connection)
  const config = loadConfig(
    {
      ATOLL_DATA_DIR: dataDir,
      ATOLL_ROLES: 'api,edge',
      DATABASE_URL: scratch.url,
      ATOLL_SECRET_KEY: 'a key for this test alone, 32 characters',
      ATOLL_VCPU_QUOTA: '100000',
      ATOLL_SIGN_IN_RATE: '1000000',
    },
    project,
  )
  // The very application that a server runs; no worker takes its jobs, so a cluster stays as it was ordered.
  system = await compose(config, { ...database, connection, stopServer: async () => undefined }, silentLog)
  subscribe('fastify.initialization', noteRoutes)
  const operations = { metrics: system.metrics, checks: {}, metricsToken: undefined, isPublic: false }
  app = await createConsoleApp({ config, log: silentLog, ...system, operations })
  unsubscribe('fastify.initialization', noteRoutes)
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  system.events.closeAll()
  await app.close()
  await system.catalog.stop()
  await system.listener.close()
  await database.close()
  await scratch.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Person {
  userid: string
  api: ApiClient
}

/** A new account with an ID, signed in. */
async function createPerson(role: 'User' | 'Admin' = 'User'): Promise<Person> {
  const wallet = createScriptedWallet()
  await wallet.register(origin)
  const name = `p${wallet.did
    .slice(-12)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}@atoll.test`
  const bound = await wallet.bindName(origin, name)
  if (bound.code !== 0) throw new Error(bound.message)
  const { userid, token } = await wallet.signIn(origin)
  await database.db.updateTable('accounts').set({ role }).where('userid', '=', userid).execute()
  return { userid, api: createApiClient(origin, { userid, token }) }
}

const order = {
  clusterType: 'Cloud',
  cloudName: 'local',
  regionId: 'local',
  offering: 'tide-2',
  version: '1.0.0',
} as const

/** A cluster of the owner with a worker, a machine of their own, and a second session. */
async function createIds({ userid, api }: Person): Promise<Ids> {
  const { clusterId } = await api.ask(createCluster, order)
  const { clusterId: selfHostId } = await api.ask(createCluster, { clusterType: 'SelfHost', reverseProxy: 'none' })
  const { data, operations } = await api.ask(instanceDetails, { clusterId })
  const worker = await database.db.transaction().execute((trx) =>
    insertInstance(
      trx,
      {
        cluster_id: clusterId,
        owner: userid,
        role: 'worker',
        ordinal: 1,
        offering: 'tide-2',
        cpu_core_count: 2,
        memory_mib: 4096,
        disk_mib: 40_960,
      },
      new Date(),
    ),
  )
  const [session] = await database.db
    .insertInto('sessions')
    .columns(['id', 'userid', 'token_hash', 'device_kind', 'created_at', 'last_seen_at', 'expires_at'])
    .expression((from) =>
      from
        .selectFrom('sessions')
        .select((each) => [
          each.val(newId('ss')).as('id'),
          'userid',
          each.val(newId('ss')).as('token_hash'),
          'device_kind',
          'created_at',
          'last_seen_at',
          'expires_at',
        ])
        .where('userid', '=', userid)
        .limit(1),
    )
    .returning('id')
    .execute()
  const card = await database.db
    .insertInto('payment_methods')
    .values({
      id: newId('pm'),
      userid,
      gateway: 'sandbox',
      customer_ref: userid,
      card_ref: newId('sb'),
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2040,
      is_default: false,
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { backupId } = await api.ask(backupCreate, {
    ...{ clusterId, name: 'Everything', paths: ['/'], schedule: { every: 'day', at: '03:00' } },
    ...{ timeZone: 'UTC', runNow: true },
  })
  const { id: snapshotId } = await database.db
    .selectFrom('snapshots')
    .select('id')
    .where('backup_id', '=', backupId)
    .executeTakeFirstOrThrow()
  const clientBackupId = 'their-photos'
  await api.ask(backupSave, {
    ...{ backupId: clientBackupId, name: 'Photos', backupTime: 1_800_000_000, backupLocation: 'space' },
  })
  const domain = await database.db
    .insertInto('domains')
    .values({
      userid,
      name: `${newId('sb').slice(3)}.lagoon.example`,
      is_apex: false,
      method: 'cname',
      status: 'WAIT_RULE_SET',
      txt_token: newId('sb'),
      proven_at: new Date(),
      checks_since: new Date(),
      created_at: new Date(),
      updated_at: new Date(),
    })
    .returning(['number', 'name'])
    .executeTakeFirstOrThrow()
  await database.db
    .insertInto('domain_members')
    .values({ domain: domain.number, name: 'kai', created_at: new Date() })
    .execute()
  return {
    userid,
    clusterId,
    backupId,
    snapshotId,
    clientBackupId,
    selfHostId,
    instanceId: data[0]?.instanceId ?? '',
    workerId: worker.id,
    operationId: operations[0]?.operationId ?? '',
    sessionId: session?.id ?? '',
    cardId: card.id,
    domain: domain.name,
    ...(await database.db.transaction().execute((trx) => insertVoidOrder(trx, userid))),
  }
}

const nobodys: Ids = {
  userid: createScriptedWallet().did,
  clusterId: `cl_${'a'.repeat(20)}`,
  selfHostId: `cl_${'b'.repeat(20)}`,
  instanceId: `in_${'a'.repeat(20)}`,
  workerId: `in_${'b'.repeat(20)}`,
  operationId: `op_${'a'.repeat(20)}`,
  sessionId: `ss_${'a'.repeat(20)}`,
  cardId: `pm_${'a'.repeat(20)}`,
  subscriptionId: `sub_${'a'.repeat(20)}`,
  invoiceId: `iv_${'a'.repeat(20)}`,
  paymentId: `pay_${'a'.repeat(20)}`,
  backupId: `bk_${'a'.repeat(20)}`,
  snapshotId: `sn_${'a'.repeat(20)}`,
  clientBackupId: 'nobodys-photos',
  domain: 'nobodys.lagoon.example',
}

/** Everything of the owner that a call could change. */
async function stateOf(userid: string): Promise<unknown> {
  const { db } = database
  return await Promise.all([
    db
      .selectFrom('accounts')
      .select(['avatar', 'email', 'role', 'can_create_cluster', 'vcpu_quota', 'plan_level'])
      .where('userid', '=', userid)
      .execute(),
    db.selectFrom('sessions').select(['id', 'expires_at']).where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('clusters').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('instances').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('operations').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('payment_methods').selectAll().where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('subscriptions').selectAll().where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('invoices').selectAll().where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('payments').selectAll().where('userid', '=', userid).orderBy('id').execute(),
    db.selectFrom('backups').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('snapshots').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('restores').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('client_backups').selectAll().where('owner', '=', userid).orderBy('id').execute(),
    db.selectFrom('domains').selectAll().where('userid', '=', userid).orderBy('number').execute(),
  ])
}

const bodyOf = (call: Call, ids: Ids): object => callRows[call.name]?.body?.(ids) ?? {}
const send = (person: Person, call: Call, ids: Ids) => person.api.send(call, bodyOf(call, ids))
const denials: readonly number[] = [codes.signedOut, codes.notFound, codes.forbidden]
const mentions = (answer: Envelope<unknown>, ids: Ids) =>
  [ids.userid, ids.clusterId, ids.selfHostId, ids.sessionId, ids.cardId, ids.invoiceId, ids.backupId, ids.domain].some(
    (id) => JSON.stringify(answer).includes(id),
  )
const callsThat = (...reaches: Reach[]) =>
  calls
    .filter((call) => reaches.includes(callRows[call.name]?.reach ?? 'open'))
    .map((call) => [call.name, call] as const)

describe('the table', () => {
  it('has a row for every call of the contract, every call is mounted, and none besides', () => {
    const names = calls.map((call) => call.name).sort()
    expect(Object.keys(callRows).sort()).toEqual(names)
    expect(system.routes.map((route) => route.call.name).sort()).toEqual(names)
    for (const call of calls)
      expect([call.name, callRows[call.name]?.reach === 'open']).toEqual([call.name, call.auth === 'none'])
  })

  it('has a row for every other endpoint', () => {
    const paths = new Set(calls.map((call) => `POST ${call.path}`))
    const others = [...mounted].filter((endpoint) => !paths.has(endpoint))
    expect(others.filter((endpoint) => !(endpoint in endpointRows))).toEqual([])
    expect(others.length).toBeGreaterThan(10)
  })
})

describe('without a session', () => {
  /** Ways to have none: each with the headers it sends. */
  let sessions: Record<string, Record<string, string>>
  beforeAll(async () => {
    const [owner, other, expired, ended] = await Promise.all([1, 2, 3, 4].map(() => createPerson()))
    if (!owner || !other || !expired || !ended) throw new Error('four people were asked for')
    const headersOf = (person: Person): Record<string, string> => ({ ...person.api.credentials })
    await database.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('userid', '=', expired.userid)
      .execute()
    await ended.api.ask(logout, {})
    sessions = {
      nobody: {},
      'a wrong token': { ...headersOf(owner), token: 'wrong' },
      'the token of another account': { ...headersOf(other), userid: owner.userid },
      'an expired session': headersOf(expired),
      'a session that was ended': headersOf(ended),
    }
  })
  const ways = [
    'nobody',
    'a wrong token',
    'the token of another account',
    'an expired session',
    'a session that was ended',
  ]
  const endpoints = [
    ...calls.filter((call) => call.auth === 'account').map((call) => `POST ${call.path}`),
    ...Object.keys(endpointRows).filter((endpoint) => endpointRows[endpoint] === 'account'),
  ]

  it.each(endpoints)('%s is refused to everybody, whatever is sent along', async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ')
    for (const way of ways) {
      const headers = { ...sessions[way], ...(method === 'POST' && { 'content-type': 'application/json' }) }
      const response = await fetch(origin + path, { method, headers, ...(method === 'POST' && { body: '{}' }) })
      expect([way, await response.json()]).toEqual([way, expect.objectContaining({ code: codes.signedOut })])
    }
  })

  it.each(callsThat('open'))('%s answers', async (_, call) => {
    const answer = await createApiClient(origin).send(call, bodyOf(call, nobodys) as never)
    expect(answer.code).not.toBe(codes.signedOut)
  })
})

describe('somebody else', () => {
  it.each(callsThat('object', 'ownersOnly', 'private'))(
    'asks %s for what is not theirs and is answered as for what does not exist, and nothing happens',
    async (_, call) => {
      const [owner, stranger] = await Promise.all([createPerson(), createPerson()])
      const ids = await createIds(owner)
      const before = await stateOf(owner.userid)
      const theirs = await send(stranger, call, ids)
      expect(theirs).toEqual(await send(stranger, call, nobodys))
      expect(theirs.code).toBe(codes.notFound)
      expect(await stateOf(owner.userid)).toEqual(before)
    },
  )

  it.each(callsThat('self', 'list'))('asks %s and learns and changes nothing of the owner’s', async (_, call) => {
    const [owner, stranger] = await Promise.all([createPerson(), createPerson()])
    const ids = await createIds(owner)
    const before = await stateOf(owner.userid)
    const answer = await send(stranger, call, ids)
    expect(denials).not.toContain(answer.code)
    expect(mentions(answer, ids)).toBe(false)
    expect(await stateOf(owner.userid)).toEqual(before)
  })
})

/** The newest records of what somebody did to what `owner` has. */
const recordsBy = (actor: string, owner: string) =>
  database.db
    .selectFrom('audit_records')
    .select(['seq', 'action'])
    .where('actor', '=', actor)
    .where('owner', '=', owner)
    .orderBy('seq')
    .execute()

/** Asks as `person` for what is `owner`'s; whatever that changed is in the audit log, under the name of who asked. */
async function expectAllowed(person: Person, owner: Person, call: Call): Promise<void> {
  const ids = await createIds(owner)
  const [before, records] = await Promise.all([stateOf(owner.userid), recordsBy(person.userid, owner.userid)])
  const answer = await send(person, call, ids)
  expect([answer.message, denials.includes(answer.code)]).toEqual([answer.message, false])
  const changed = JSON.stringify(await stateOf(owner.userid)) !== JSON.stringify(before)
  const recorded = (await recordsBy(person.userid, owner.userid)).length - records.length
  // What is not a row here, a token for one, is recorded as well.
  if (changed) expect(recorded).toBeGreaterThan(0)
  if (call === selfHostCommand) expect(recorded).toBe(1)
}

describe('the owner', () => {
  it.each(callsThat('object', 'ownersOnly', 'private', 'self'))(
    'may %s, and what it changed is recorded',
    async (_, call) => {
      const owner = await createPerson()
      await expectAllowed(owner, owner, call)
    },
  )

  it.each(callsThat('list'))('finds their own by %s', async (_, call) => {
    const owner = await createPerson()
    const ids = await createIds(owner)
    expect(mentions(await send(owner, call, ids), ids)).toBe(true)
  })
})

describe('an Admin', () => {
  it.each(callsThat('object'))('may %s what is another’s, and is named for it', async (_, call) => {
    const [owner, admin] = await Promise.all([createPerson(), createPerson('Admin')])
    await expectAllowed(admin, owner, call)
  })

  it.each(callsThat('ownersOnly'))('is told that only the owner may %s', async (_, call) => {
    const [owner, admin] = await Promise.all([createPerson(), createPerson('Admin')])
    const ids = await createIds(owner)
    const before = await stateOf(owner.userid)
    expect(await send(admin, call, ids)).toMatchObject({
      code: codes.forbidden,
      message: expect.stringContaining('owner'),
    })
    expect(await stateOf(owner.userid)).toEqual(before)
  })

  it.each(callsThat('private'))('finds nothing of another’s by %s', async (_, call) => {
    const [owner, admin] = await Promise.all([createPerson(), createPerson('Admin')])
    const ids = await createIds(owner)
    const before = await stateOf(owner.userid)
    expect(await send(admin, call, ids)).toEqual(await send(admin, call, nobodys))
    expect(await stateOf(owner.userid)).toEqual(before)
  })

  it.each(callsThat('list'))('sees everybody’s by %s', async (_, call) => {
    const [owner, admin] = await Promise.all([createPerson(), createPerson('Admin')])
    const ids = await createIds(owner)
    expect(mentions(await send(admin, call, ids), ids)).toBe(true)
  })

  it.each(callsThat('self'))('changes nothing of another’s by %s', async (_, call) => {
    const [owner, admin] = await Promise.all([createPerson(), createPerson('Admin')])
    const ids = await createIds(owner)
    const before = await stateOf(owner.userid)
    await send(admin, call, ids)
    expect(await stateOf(owner.userid)).toEqual(before)
  })

  it('who is one no more sees no more than anybody', async () => {
    const [owner, admin] = await Promise.all([createPerson(), createPerson('Admin')])
    const ids = await createIds(owner)
    await database.db.updateTable('accounts').set({ role: 'User' }).where('userid', '=', admin.userid).execute()
    expect(await send(admin, instanceDetails, ids)).toMatchObject({ code: codes.notFound })
  })
})
