/**
 * Programs that already exist, played against the very application that a server runs, and restic with what it gives
 * them. The store is a double of S3 and STS (testkit) that evaluates the session policy; AWS itself is not asked.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditPage } from '@atoll/contract/audit'
import { backupDelete, backupRegion, backupSave, backupStop, StoreGrant } from '@atoll/contract/backups'
import { backupUsage } from '@atoll/contract/billing'
import { type Call, codes, type Envelope } from '@atoll/contract/wire'
import {
  type ApiClient,
  createApiClient,
  createScriptedWallet,
  createTestDatabase,
  type ObjectStore,
  repositoryRoot,
  runObjectStore,
  type TestDatabase,
} from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compose, type System } from '../composition/compose.ts'
import { loadConfig } from '../config.ts'
import { createConsoleApp } from '../http/app.ts'
import { accountOfDid } from '../modules/accounts/index.ts'
import { captureComplaint, restics, runRestic } from '../modules/vault/testing/restic-programs.ts'
import { createDatabase, type Database } from '../platform/db/index.ts'
import { silentLog } from '../platform/log.ts'

let scratch: TestDatabase
let database: Database
let store: ObjectStore
let system: System
let app: Awaited<ReturnType<typeof createConsoleApp>>
let origin: string
let folder: string
/** How far the store's clock is ahead of this process's, ms. */
let ahead = 0
let api: ApiClient
let userid: string
let token: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-clients-'))
  store = await runObjectStore({ now: () => new Date(Date.now() + ahead) })
  scratch = await createTestDatabase()
  const connection = { connectionString: scratch.url }
  database = createDatabase(connection)
  ;({ system, app, origin } = await startApp({
    ATOLL_CLIENT_BUCKET: store.bucket,
    ATOLL_CLIENT_ROLE: store.roleArn,
    ATOLL_S3_URL: store.url,
    ATOLL_STS_URL: store.url,
    ATOLL_S3_ACCESS_KEY_ID: store.accessKeyId,
    ATOLL_S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  }))
})
afterAll(async () => {
  await stopApp({ system, app })
  await database.close()
  await scratch.drop()
  await store[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  ahead = 0
  store.faultOf = () => undefined
  ;({ api, userid, token } = await signIn(origin))
})

async function startApp(settings: Record<string, string>) {
  const base = {
    ATOLL_DATA_DIR: folder,
    ATOLL_ROLES: 'api',
    DATABASE_URL: scratch.url,
    ATOLL_SECRET_KEY: 'a key for this test alone, 32 characters',
    ATOLL_SIGN_IN_RATE: '1000000',
    ATOLL_RATE_FACTOR: '1000',
  }
  const config = loadConfig({ ...base, ...settings }, repositoryRoot)
  const connection = { connectionString: scratch.url }
  const made = await compose(config, { ...database, connection, stopServer: async () => undefined }, silentLog)
  const operations = { metrics: made.metrics, checks: {}, metricsToken: () => undefined, isPublic: false }
  const server = await createConsoleApp({ config, log: silentLog, ...made, operations })
  return { system: made, app: server, origin: await server.listen({ host: '127.0.0.1', port: 0 }) }
}

async function stopApp(running: { system: System; app: { close(): Promise<unknown> } }): Promise<void> {
  running.system.events.closeAll()
  await running.app.close()
  await running.system.catalog.stop()
  await running.system.listener.close()
}

async function signIn(at: string) {
  const wallet = createScriptedWallet()
  await wallet.register(at)
  const signedIn = await wallet.signIn(at)
  return { ...signedIn, api: createApiClient(at, { userid: signedIn.userid, token: signedIn.token }) }
}

/** Sends a form as those programs do: put together as text, nothing escaped. */
async function sendRaw(path: string, fields: Record<string, string | number>): Promise<Envelope<unknown>> {
  const body = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(origin + path, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  return (await response.json()) as Envelope<unknown>
}

const asked = (more: Record<string, string | number> = {}) => ({
  cloudName: 'aws',
  durationSeconds: 900,
  region: 'us-east-1',
  token,
  userid,
  clusterId: Buffer.from('cluster-1>>??').toString('base64'),
  ...more,
})
const grant = async (more: Record<string, string | number> = {}) => {
  const answer = await sendRaw('/v1/resource/stsToken/backup', asked(more))
  expect(answer).toMatchObject({ code: 200 })
  return StoreGrant.parse(answer.data)
}
const refresh = async ({ ak, sk, st }: StoreGrant) =>
  await sendRaw('/v1/resource/stsToken/backup/refresh', { ak, sk, st, durationSeconds: 900 })
const saved = {
  backupId: 'b-1',
  name: 'Photos',
  backupTime: 1_800_000_000,
  backupPath: '/p',
  backupLocation: 'space' as const,
}

/** Where such a program puts its repository, and with what it reaches it. */
const repositoryOf = (at: StoreGrant, prefix: string) => ({
  repository: `s3:${store.url}/${at.bucket}/${prefix}/restic/photos`,
  cache: join(folder, 'cache'),
  env: { AWS_ACCESS_KEY_ID: at.ak, AWS_SECRET_ACCESS_KEY: at.sk, AWS_SESSION_TOKEN: at.st },
})
const restic = (program: string, at: StoreGrant, prefix: string, ...args: string[]) =>
  runRestic(program, repositoryOf(at, prefix), ...args)

describe('a program of a personal server', () => {
  test.each(['form', 'json'] as const)(
    'makes each of its calls with a %s, with /api before the path too',
    async (body) => {
      const send = async (call: Call, fields: object, prefix: string) =>
        await api.send({ ...call, path: `${prefix}${call.path}` as `/${string}` }, fields as never, {
          body,
          credentials: 'body',
        })
      for (const prefix of ['', '/api']) {
        for (const [call, fields] of [
          [backupSave, { ...saved, backupType: 2 }],
          [backupUsage, {}],
          [backupRegion, {}],
          [backupStop, { backupId: 'b-1' }],
          [backupDelete, { backupId: 'b-1' }],
        ] as const)
          expect([prefix, call.path, (await send(call, fields, prefix)).code]).toEqual([prefix, call.path, 200])
      }
    },
  )

  test('may leave out or leave empty what has a default, and send more than we know', async () => {
    const more = { vendor: 'x', nested: '1' }
    const tell = (path: string, fields: Record<string, string | number>) =>
      sendRaw(path, { userid, token, ...more, ...fields })
    const before = new Date()
    expect(await tell('/v1/resource/backup/save', { backupId: 'b-3', name: ' ', backupTime: '' })).toMatchObject({
      code: 200,
    })
    const run = { backupId: 'b-3', snapshotId: 's-9', status: 'Started', type: '', size: '', snapshotTime: '' }
    expect(await tell('/v1/resource/snapshot/save', run)).toMatchObject({ code: 200 })
    expect(await tell('/v1/resource/backup/usage', {})).toMatchObject({ code: 200 })
    const backup = await database.db
      .selectFrom('client_backups')
      .selectAll()
      .where('owner', '=', accountOfDid(userid).$notNull())
      .where('id', '=', 'b-3')
      .executeTakeFirstOrThrow()
    expect(backup).toMatchObject({ name: 'b-3', kind: 'files', location: 'space' })
    expect(backup.made_at.getTime()).toBeGreaterThanOrEqual(before.getTime())
    const snapshots = database.db
      .selectFrom('client_snapshots')
      .selectAll()
      .where('owner', '=', accountOfDid(userid).$notNull())
    expect(await snapshots.where('id', '=', 's-9').execute()).toMatchObject([{ kind: 'incremental', bytes: 0 }])
    expect(await tell('/v1/resource/backup/stop', { backupId: 'b-3' })).toMatchObject({ code: 200 })
    expect(await tell('/v1/resource/backup/save', { backupId: 'b-3', backupTime: 'soon' })).toMatchObject({
      code: codes.badParameter,
      message: expect.stringContaining('backupTime'),
    })
  })

  test('is told the field that holds a character which no text may have, and may send null for what it does not know', async () => {
    const post = async (path: string, fields: object) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ userid, token, vendor: null, ...fields })
      return (await (await fetch(origin + path, { method: 'POST', headers, body })).json()) as Envelope<unknown>
    }
    const unknown = { name: null, backupType: null, backupTime: null, backupPath: null, backupLocation: null }
    const run = { backupId: 'b-4', snapshotId: 's-4', status: 'Started' }
    const unset = { resticSnapshotId: null, size: null, unit: null, snapshotTime: null, type: null, message: null }
    for (const [path, fields] of [
      ['backup/save', { backupId: 'b-4', ...unknown }],
      ['snapshot/save', { ...run, ...unset }],
      ['backup/usage', {}],
      ['backup/stop', { backupId: 'b-4' }],
    ] as const)
      expect([path, (await post(`/v1/resource/${path}`, fields)).code]).toEqual([path, 200])
    for (const [path, fields, field] of [
      ['backup/save', { backupId: 'b-4', backupPath: 'a\0b' }, 'backupPath'],
      ['snapshot/save', { ...run, message: 'a\0b' }, 'message'],
      ['backup/usage', { vendor: 'a\0b' }, 'vendor'],
      ['backup/stop', { backupId: 'b\0' }, 'backupId'],
    ] as const)
      expect([path, await post(`/v1/resource/${path}`, fields)]).toMatchObject([
        path,
        { code: codes.badParameter, message: expect.stringContaining(field) },
      ])
  })

  test('reports its backup and each run; the same again changes them and nothing else', async () => {
    const answer = await fetch(`${origin}/v1/resource/backup/save`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userid, token, ...saved, backupType: 1 }),
    })
    expect(await answer.json()).toMatchObject({ code: 200 })
    const snapshot = (more: Record<string, string | number>) =>
      sendRaw('/v1/resource/snapshot/save', {
        userid,
        backupId: 'b-1',
        snapshotId: 's-1',
        resticSnapshotId: '',
        size: 0,
        realSnapshotSize: 0,
        unit: 'byte',
        snapshotTime: 1_800_000_000_000,
        status: 'Running',
        type: 'fully',
        url: 'https://s3.us-east-1.amazonaws.com/b/p/restic/photos',
        cloud: 'aws',
        region: 'us-east-1',
        bucket: 'b',
        prefix: 'p-x',
        message: 'half & half',
        ...more,
      })
    expect(await snapshot({})).toMatchObject({ code: 200 })
    const last = { status: 'Completed', resticSnapshotId: 'abcd1234', size: 2_000_000_000_000, realSnapshotSize: 5 }
    expect(await snapshot(last)).toMatchObject({ code: 200 })
    const rows = await database.db
      .selectFrom('client_snapshots')
      .selectAll()
      .where('owner', '=', accountOfDid(userid).$notNull())
      .execute()
    expect(rows).toMatchObject([
      { id: 's-1', status: 'Completed', bytes: 2_000_000_000_000, new_bytes: 5, restic_id: 'abcd1234' },
    ])
    expect(rows[0]?.taken_at).toEqual(new Date(1_800_000_000_000))

    // A snapshot of a backup that nobody saved with a token is accepted from nobody.
    expect(await snapshot({ backupId: 'b-2' })).toMatchObject({ code: codes.notFound })
    const stranger = await signIn(origin)
    expect(await snapshot({ userid: stranger.userid })).toMatchObject({ code: codes.notFound })
    expect(await snapshot({ size: 'much' })).toMatchObject({ code: codes.badParameter })
    expect(await snapshot({ userid: '' })).toMatchObject({ code: codes.badParameter })
    await api.ask(backupDelete, { backupId: 'b-1' })
    expect(await snapshot({})).toMatchObject({ code: codes.notFound })
  })

  test('is asked to slow down when it reports more runs than can be', async () => {
    await api.ask(backupSave, saved)
    const one = (snapshotId: number) =>
      sendRaw('/v1/resource/snapshot/save', {
        userid,
        backupId: 'b-1',
        snapshotId,
        snapshotTime: 1_800_000_000,
        status: 'Failed',
        type: 'fully',
      })
    for (let count = 0; count < 60; count += 1) expect((await one(count)).code).toBe(200)
    expect((await one(60)).code).toBe(codes.tooManyRequests)
    expect((await one(0)).code).toBe(200)
  })

  test('leaves what it did in the log of its account', async () => {
    await api.ask(backupSave, saved)
    await api.ask(backupSave, saved)
    await api.ask(backupStop, { backupId: 'b-1' })
    const { records } = await api.ask(auditPage, { page: 1, rowsPerPage: 20 })
    const actions = records.map(({ action }) => action).filter((action) => action.startsWith('backup.'))
    expect(actions).toEqual(['backup.stop', 'backup.save'])
  })
})

describe('credentials', () => {
  test.runIf(restics['0.18'] ?? restics['0.14'])(
    'let restic back up, restore and unlock under their prefix, and nothing else; renewed when they have ended',
    async () => {
      const program = restics['0.18'] ?? restics['0.14'] ?? ''
      const first = await grant()
      expect(first).toMatchObject({ cloud: 'aws', bucket: store.bucket, region: 'us-east-1' })
      // Programs split it at its only hyphen.
      expect(first.prefix.split('-')).toHaveLength(2)
      expect(first.restic_repo).toBe(`s3:${store.url}/${store.bucket}/${first.prefix}/restic`)
      const source = join(folder, 'source')
      await writeFile(source, 'what is to be kept')
      await restic(program, first, first.prefix, 'init')
      await restic(program, first, first.prefix, 'backup', source)
      const target = join(folder, 'target')
      await restic(program, first, first.prefix, 'restore', 'latest', '--target', target)
      await restic(program, first, first.prefix, 'check')
      const names = [...store.objects.keys()]
      expect(names.every((name) => name.startsWith(`${first.prefix}/restic/photos/`))).toBe(true)
      // Each run took its lock away, which is all that it may delete.
      expect(names.filter((name) => name.includes('/locks/'))).toEqual([])
      // restic ends well all the same; what counts is that the snapshot stays.
      await restic(program, first, first.prefix, 'forget', 'latest')
      expect([...store.objects.keys()].filter((name) => name.includes('/snapshots/'))).toHaveLength(1)

      const other = await signIn(origin)
      const theirs = await grant({ userid: other.userid, token: other.token })
      expect(theirs.prefix).not.toBe(first.prefix)
      await expect(restic(program, theirs, first.prefix, 'snapshots')).rejects.toThrow(/Access ?Denied|denied/i)
      await expect(restic(program, first, theirs.prefix, 'init')).rejects.toThrow(/Access ?Denied|denied/i)

      ahead = 16 * 60_000
      const ended = { ...repositoryOf(first, first.prefix), complaint: /Expired/ }
      expect(await captureComplaint(program, ended, 'snapshots')).toMatch(/Expired/)
      const renewed = await refresh(first)
      expect(renewed).toMatchObject({ code: 200, data: { prefix: first.prefix } })
      await restic(program, StoreGrant.parse(renewed.data), first.prefix, 'backup', source)
    },
  )

  test('are renewed until a day after their end, with all three texts and nothing less', async () => {
    const first = await grant()
    const ends = (at: Date) => database.db.updateTable('sts_grants').set({ expires_at: at }).execute()
    await ends(new Date(Date.now() - 23 * 3600_000))
    expect(await refresh({ ...first, st: `${first.st.slice(0, -1)}A` })).toMatchObject({ code: codes.notFound })
    expect(await refresh({ ...first, sk: 'guessed' })).toMatchObject({ code: codes.notFound })
    const second = await refresh(first)
    expect(second).toMatchObject({ code: 200, data: { prefix: first.prefix } })
    expect(second.data).not.toMatchObject({ ak: first.ak })
    await ends(new Date(Date.now() - 25 * 3600_000))
    expect(await refresh(first)).toMatchObject({ code: codes.notFound })
  })

  test('of one personal server are for one prefix; nothing that opens it is kept', async () => {
    const [first, again] = [await grant(), await grant()]
    expect(again.prefix).toBe(first.prefix)
    expect((await grant({ clusterId: 'b3RoZXI=' })).prefix).not.toBe(first.prefix)
    const kept = JSON.stringify(await database.db.selectFrom('sts_grants').selectAll().execute())
    for (const secret of [first.ak, first.sk, first.st]) expect(kept).not.toContain(secret)
  })

  test.each([
    ['cloudName', 'tencentcloud', codes.badParameter],
    ['region', 'eu-west-1', codes.badParameter],
    ['durationSeconds', 899, codes.badParameter],
    ['durationSeconds', 43_201, codes.badParameter],
    ['clusterId', '%00', codes.badParameter],
    ['token', 'wrong', codes.signedOut],
  ])('are refused with another %s', async (field, value, code) => {
    expect(await sendRaw('/v1/resource/stsToken/backup', asked({ [field]: value }))).toMatchObject({ code })
  })

  test('come although the service fails twice, and are refused while it gives none', async () => {
    let left = 2
    store.faultOf = () => (left-- > 0 ? 'slowDown' : undefined)
    await grant()
    store.faultOf = () => 'cut'
    expect(await sendRaw('/v1/resource/stsToken/backup', asked())).toMatchObject({ code: codes.unavailable })
  })

  test('are not given where nothing is set up', async () => {
    const bare = await startApp({})
    try {
      const client = createApiClient(bare.origin, api.credentials)
      expect(await client.ask(backupRegion, {})).toEqual([])
      const answer = await fetch(`${bare.origin}/v1/resource/stsToken/backup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(asked()),
      })
      expect(await answer.json()).toMatchObject({
        code: codes.unavailable,
        message: 'Cloud storage for backups is not available.',
      })
    } finally {
      await stopApp(bare)
    }
  })

  test('end where the plan has no room: what is stored is listed', async () => {
    const given = await grant()
    const { prefix } = given
    store.objects.set(`${prefix}/restic/photos/data/x`, { bytes: Buffer.alloc(1234), at: new Date() })
    const tend = system.jobs.find(({ name }) => name === 'backup.clients.tend')
    await tend?.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    const row = database.db.selectFrom('client_prefixes').select('bytes').where('prefix', '=', prefix)
    expect(await row.executeTakeFirst()).toEqual({ bytes: 1234 })
    await database.db.updateTable('client_prefixes').set({ bytes: 2e15 }).where('prefix', '=', prefix).execute()
    expect((await sendRaw('/v1/resource/stsToken/backup', asked())).code).toBe(codes.conflict)

    // The account ended: all of its objects go, and the prefix once no grant can add to it.
    const maintain = () => tend?.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
    const endedAgo = (ms: number) =>
      database.db
        .updateTable('client_prefixes')
        .set({ ended_at: new Date(Date.now() - ms) })
        .where('prefix', '=', prefix)
        .execute()
    await endedAgo(0)
    expect(await refresh(given)).toMatchObject({ code: codes.notFound })
    await database.db.updateTable('client_prefixes').set({ listed_at: null }).where('prefix', '=', prefix).execute()
    store.faultOf = ({ method }) => (method === 'DELETE' ? 'error' : undefined)
    await expect(maintain()).rejects.toThrow('1 prefixes of ended accounts stay')
    expect(await row.executeTakeFirst()).toEqual({ bytes: 1234 })
    store.faultOf = () => undefined
    await maintain()
    expect([...store.objects.keys()].filter((key) => key.startsWith(prefix))).toEqual([])
    expect(await row.executeTakeFirst()).toBeDefined()
    await endedAgo(25 * 3600_000)
    await maintain()
    expect(await row.executeTakeFirst()).toBeUndefined()
  })
})
