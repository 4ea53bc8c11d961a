/** A database that goes away, or a right that ends, while a file comes: nothing stays reserved or uncounted. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClock, createTestDatabase, until } from '@atoll/testkit'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../platform/db/index.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { createVault, reindexVault, usageOf, type Vault } from './index.ts'
import { createVaultServer, type VaultServer } from './listener/vault-server.ts'
import { vaultLease } from './maintenance/lease.ts'
import { sweepVault } from './maintenance/sweep.ts'
import { sha256, type VaultClient, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness, type VaultHarness } from './testing/vault-harness.ts'
import { createVaultCounts } from './vault-counts.ts'
import type { VaultDriver } from './vault-driver.ts'

const start = new Date('2028-02-28T00:00:00Z')
const dayMs = 24 * 3600_000
const clock = createTestClock(start)
const holder = 'vault-that-is-cut-off'
const uploads = new Set<string>()
let scratch: Awaited<ReturnType<typeof createTestDatabase>>
let admin: Client
let database: Database
/** Gives rights; it does not listen, so nothing but these tests sweeps. */
let vault: Vault
let folder: string
let server: VaultServer
let port: number
let driver: VaultDriver
/** Happens before, and after, a file is put in its place. */
let around: { before?: () => Promise<void>; after?: () => Promise<void>; removal?: () => Promise<void> } = {}

beforeAll(async () => {
  scratch = await createTestDatabase()
  admin = new Client({ connectionString: scratch.url.replace(/\/test_\w+/, '/postgres') })
  await admin.connect()
  database = createDatabase({ connectionString: scratch.url })
  folder = await mkdtemp(join(tmpdir(), 'atoll-vault-'))
  vault = createVault({
    strayMs: 0,
    db: database.db,
    clock,
    log: silentLog,
    readQuota: async () => null,
    onDamaged: async () => undefined,
    config: { host: '127.0.0.1', vaultUrl: '', vaultDir: folder },
  })
  const inner = createFolderDriver(folder)
  driver = {
    ...inner,
    async remove(key) {
      await around.removal?.()
      await inner.remove(key)
    },
    async receive(id, of) {
      const incoming = await inner.receive(id, of)
      return {
        ...incoming,
        async sync() {
          await incoming.sync()
          await around.before?.()
        },
        async keep() {
          await incoming.keep()
          await around.after?.()
        },
      }
    },
  }
  await database.pool.query(
    `insert into leases (kind, name, holder, renewed_at) values ($1, $2, $2, clock_timestamp() + interval '1 day')`,
    [vaultLease.kind, holder],
  )
  server = createVaultServer({
    db: database.db,
    clock,
    log: silentLog,
    driver,
    disk: createDiskGuard(driver),
    counts: createVaultCounts(),
    holder,
    uploads,
    readQuota: async () => null,
    config: { host: '127.0.0.1' },
  })
  port = await server.listen(0)
})
afterAll(async () => {
  await server.close(0)
  await database.close()
  await rm(folder, { recursive: true })
  await admin.end()
  await scratch.drop()
})

// A test that failed while it was away is to fail alone.
afterEach(() => back())

let harness: VaultHarness
let client: VaultClient
const bytes = randomBytes(200_000)
const path = `data/${sha256(bytes)}`
beforeEach(async () => {
  around = {}
  clock.set(start)
  harness = await openVaultHarness(database, vault, clock)
  client = await reach('at_first')
})

async function reach(taskId: string): Promise<VaultClient> {
  const grant = await harness.grant('write', { taskId })
  return vaultClient({ ...grant, url: `http://127.0.0.1:${port}/${harness.repositoryId}/` })
}
const held = () => usageOf(database.db, { accountId: harness.userid })
const sweep = () =>
  sweepVault({
    db: database.db,
    clock,
    log: silentLog,
    driver,
    disk: createDiskGuard(driver),
    readQuota: async () => null,
    own: { holder, uploads },
  })
const inPlace = async (of = bytes) =>
  (await readdir(join(folder, harness.repositoryId), { recursive: true }).catch(() => [])).filter((name) =>
    name.endsWith(sha256(of)),
  )
const name = () => /test_\w+/.exec(scratch.url)?.[0]
/** As when PostgreSQL is gone: no connection is left, and none is let in. */
async function away(): Promise<void> {
  await admin.query(`alter database ${name()} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name()])
}
async function back(): Promise<void> {
  await admin.query(`alter database ${name()} allow_connections true`)
  await until('the database answers', () =>
    database.pool.query('select 1').then(
      () => true,
      () => false,
    ),
  )
}
const begun = (ago: string) =>
  database.pool.query('update vault_uploads set begun_at = clock_timestamp() - $1::interval', [ago])
const nothing = { liveBytes: 0, reservedBytes: 0, trashBytes: 0 }

test('a right that ends after the bytes are in their place leaves trash, which goes after 14 days', async () => {
  around.after = () => database.db.transaction().execute((trx) => vault.endGrants(trx, { taskId: 'at_first' }))
  expect((await client.post(path, bytes)).status).toBe(401)
  expect(await inPlace()).toHaveLength(1)
  expect(await held()).toEqual({ ...nothing, trashBytes: bytes.length })
  around = {}
  // Nobody reads it, and who sends it again has it.
  const again = await reach('at_second')
  expect((await again.ask('GET', path)).status).toBe(404)
  expect((await again.post(path, bytes)).status).toBe(200)
  expect(await held()).toEqual({ ...nothing, liveBytes: bytes.length })
})

test.each(['before', 'after'] as const)(
  'a database that goes away %s the bytes are in their place: the sender gets an error, and all is counted or gone',
  async (when) => {
    around[when] = away
    const answer = await client.post(path, bytes)
    expect(answer.status).toBeGreaterThanOrEqual(500)
    around = {}
    await back()
    expect(await held()).toEqual({ ...nothing, reservedBytes: bytes.length })
    // Just now it may still be under way.
    await begun('-1 h')
    await sweep()
    expect((await held()).reservedBytes).toBe(bytes.length)
    await begun('61 s')
    expect(await sweep()).toMatchObject({ uploads: 1 })
    const trashBytes = when === 'after' ? bytes.length : 0
    expect(await held()).toEqual({ ...nothing, trashBytes })
    clock.set(new Date(start.getTime() + 14 * dayMs))
    await sweep()
    expect([await held(), await inPlace()]).toEqual([nothing, []])
  },
)

test('an upload goes on while the database is away in the middle of it', async () => {
  around.before = async () => {
    await away()
    await back()
    await begun('61 s')
    // Its vault was silent for so long that another one takes it for dead.
    await database.pool.query(`update leases set renewed_at = renewed_at - interval '2 days' where name = $1`, [holder])
    await sweep()
  }
  expect((await client.post(path, bytes)).status).toBe(200)
  expect(await held()).toEqual({ ...nothing, liveBytes: bytes.length })
})

test('a file that is trash for want of a row is restored when rows are created again', async () => {
  around.after = () => database.db.transaction().execute((trx) => vault.endGrants(trx, { taskId: 'at_first' }))
  expect((await client.post(path, bytes)).status).toBe(401)
  const place = { vaultDir: folder }
  expect(await reindexVault({ db: database.db, place, now: clock.now() })).toMatchObject({ added: 1 })
  expect(await held()).toEqual({ ...nothing, liveBytes: bytes.length })
})

test.each(['ECONNRESET', 'EPIPE'])('the sender gets an error when %s is of our own connections', async (code) => {
  around.after = async () => {
    throw Object.assign(new Error('broken off'), { code })
  }
  expect((await client.post(path, bytes)).status).toBeGreaterThanOrEqual(500)
})

test('a lock whose bytes stayed at its removal goes when restic asks for that again', async () => {
  const small = bytes.subarray(0, 100)
  const lock = `locks/${sha256(small)}`
  expect((await client.post(lock, small)).status).toBe(200)
  around.removal = async () => {
    throw new Error('gone by then')
  }
  expect((await client.ask('DELETE', lock)).status).toBeGreaterThanOrEqual(500)
  expect(await inPlace(small)).toHaveLength(1)
  around = {}
  expect((await client.ask('DELETE', lock)).status).toBe(200)
  expect([await held(), await inPlace(small)]).toEqual([nothing, []])
})
