/** Failures of an upload: each has its status, gives its reservation back, and leaves no file. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createTestClock, until } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../platform/crypto.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { S3Error } from '../../platform/drivers/s3/s3-client.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { usageOf } from './index.ts'
import { pacedBody, SlowBody } from './listener/paced-body.ts'
import { createVaultServer } from './listener/vault-server.ts'
import { vaultLease } from './maintenance/lease.ts'
import { removeOne } from './records/file-removal.ts'
import { listBadFiles, trashFiles } from './records/file-store.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { sha256, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness, type VaultHarness } from './testing/vault-harness.ts'
import { createVaultCounts } from './vault-counts.ts'
import type { StoredFile, VaultDriver } from './vault-driver.ts'

const start = new Date('2028-02-28T00:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()
let running: RunningVault
let harness: VaultHarness

beforeAll(async () => {
  running = await runVault(database, { clock })
})
afterAll(async () => {
  await running.close()
})
beforeEach(async () => {
  clock.set(start)
  harness = await openVaultHarness(database, running.vault, clock)
})

const held = () => usageOf(database.db, { accountId: harness.userid })
const uploads = async () =>
  (await database.pool.query('select id from vault_uploads where repo_id = $1', [harness.repositoryId])).rows
const nothing = { liveBytes: 0, reservedBytes: 0, trashBytes: 0 }

/** A vault process of its own on `driver`; `url` is that of the repository. */
async function openVault(driver: VaultDriver, config: { rateFactor?: number } = {}) {
  const holder = newId('vault')
  await database.pool.query('insert into leases (kind, name, holder, renewed_at) values ($1, $2, $2, now())', [
    vaultLease.kind,
    holder,
  ])
  const server = createVaultServer({
    db: database.db,
    clock,
    log: silentLog,
    driver,
    disk: createDiskGuard(driver),
    counts: createVaultCounts(),
    holder,
    uploads: new Set<string>(),
    readQuota: async () => null,
    config: { host: '127.0.0.1', ...config },
  })
  const url = `http://127.0.0.1:${await server.listen(0)}/${harness.repositoryId}/`
  return { url, [Symbol.asyncDispose]: () => server.close(0) }
}

interface Grant {
  url: string
  grantId: string
  token: string
}

/** An upload whose body comes as the test likes. */
function begin({ url, grantId, token }: Grant, path: string, headers: http.OutgoingHttpHeaders) {
  const req = http.request(new URL(path, url), { method: 'POST', auth: `${grantId}:${token}`, headers })
  const status = new Promise<number | undefined>((resolve, reject) => {
    req.once('response', (res: IncomingMessage) => {
      res.resume()
      resolve(res.statusCode)
    })
    req.once('error', reject)
  })
  status.catch(() => undefined) // handled where it is awaited
  return { req, status }
}

test('411 without a length, 413 above 256 MiB, before a byte is taken', async () => {
  const grant = await harness.grant('write')
  const name = sha256(Buffer.from('x'))
  const chunked = begin(grant, `data/${name}`, { 'transfer-encoding': 'chunked' })
  chunked.req.end('x')
  expect(await chunked.status).toBe(411)
  const long = begin(grant, `data/${name}`, { 'content-length': 256 * 2 ** 20 + 1 })
  long.req.flushHeaders()
  expect(await long.status).toBe(413)
  long.req.destroy()
  expect([await held(), await uploads()]).toEqual([nothing, []])
})

test("404 for another's repository, whether it is there or not, whatever is asked of it", async () => {
  const other = await openVaultHarness(database, running.vault, clock)
  const grant = await harness.grant('prune')
  const bytes = randomBytes(100)
  await vaultClient(await other.grant('write')).post(`data/${sha256(bytes)}`, bytes)
  for (const repository of [other.repositoryId, `vr_${'a'.repeat(20)}`]) {
    const there = vaultClient({ ...grant, url: `${running.url}/${repository}/` })
    for (const [method, path] of [
      ['GET', `data/${sha256(bytes)}`],
      ['GET', 'data/'],
      ['POST', '?create=true'],
      ['DELETE', `data/${sha256(bytes)}`],
    ] as const)
      expect((await there.ask(method, path)).status).toBe(404)
    expect((await there.post(`data/${sha256(bytes)}`, bytes)).status).toBe(404)
  }
  expect((await usageOf(database.db, { accountId: other.userid })).liveBytes).toBe(100)
})

/** Half of a file is sent; `act` happens; then the rest. */
async function interrupted(
  grant: Grant,
  act: () => Promise<void>,
  bytes = randomBytes(200_000),
): Promise<number | undefined> {
  const { req, status } = begin(grant, `data/${sha256(bytes)}`, { 'content-length': bytes.length })
  req.write(bytes.subarray(0, 100_000))
  await until('room is reserved', async () => (await uploads()).length === 1)
  expect((await held()).reservedBytes).toBe(200_000)
  await act()
  req.end(bytes.subarray(100_000))
  return await status
}

test('401 for a grant that ends while the file comes, by its time or with its task', async () => {
  const timed = await harness.grant('write')
  const late = async () => clock.set(new Date(start.getTime() + 2 * 3600_000))
  expect(await interrupted(timed, late)).toBe(401)
  clock.set(start)
  const ended = await harness.grant('write', { taskId: 'at_ended' })
  const end = () => database.db.transaction().execute((trx) => running.vault.endGrants(trx, { taskId: 'at_ended' }))
  expect(await interrupted(ended, end)).toBe(401)
  expect([await held(), await uploads()]).toEqual([nothing, []])
  expect(await readdir(join(running.folder, harness.repositoryId, 'data')).catch(() => [])).toEqual([])
})

test('503 for what a vault took in that was thought dead, whose room is given away', async () => {
  const lapse = async () => {
    await database.pool.query('update vault_usage set reserved_bytes = 0 where owner = $1', [harness.userid])
    await database.pool.query('delete from vault_uploads where repo_id = $1', [harness.repositoryId])
  }
  expect(await interrupted(await harness.grant('write'), lapse)).toBe(503)
  expect(await held()).toEqual(nothing)
})

test('a file that is uploaded again while its trash is to be removed is not removed', async () => {
  const grant = await harness.grant('write')
  const client = vaultClient(grant)
  const bytes = randomBytes(200_000)
  const path = `data/${sha256(bytes)}`
  expect((await client.post(path, bytes)).status).toBe(200)
  const { repositoryId } = harness
  await database.db.transaction().execute((trx) => trashFiles(trx, { repositoryId, by: 'bk_gone' }, start))
  await database.pool.query('update vault_files set removing_at = now() where repo_id = $1', [repositoryId])
  const remove = async () =>
    expect(await removeOne(database.db, createFolderDriver(running.folder), { now: new Date(), log: silentLog })).toBe(
      'none',
    )
  expect(await interrupted(grant, remove, bytes)).toBe(200)
  await remove()
  expect(await held()).toEqual({ ...nothing, liveBytes: bytes.length })
  expect(Buffer.from(await (await client.ask('GET', path)).arrayBuffer()).equals(bytes)).toBe(true)
})

test('the same file twice at once is one file, counted once; of two configs the first one stays', async () => {
  const grant = await harness.grant('write')
  const client = vaultClient(grant)
  const both = [randomBytes(200_000), randomBytes(200_000)] as const
  /** Both are under way before either is whole. */
  async function sendBoth(path: string, files: readonly Buffer[]): Promise<(number | undefined)[]> {
    const sent = files.map((bytes) => ({ bytes, ...begin(grant, path, { 'content-length': bytes.length }) }))
    for (const { req, bytes } of sent) req.write(bytes.subarray(0, bytes.length / 2))
    await until('room is reserved for both', async () => (await uploads()).length === 2)
    for (const { req, bytes } of sent) req.end(bytes.subarray(bytes.length / 2))
    return await Promise.all(sent.map(({ status }) => status))
  }
  const path = `data/${sha256(both[0])}`
  expect(await sendBoth(path, [both[0], both[0]])).toEqual([200, 200])
  expect(await held()).toEqual({ ...nothing, liveBytes: 200_000 })
  expect(Buffer.from(await (await client.ask('GET', path)).arrayBuffer()).equals(both[0])).toBe(true)
  const configs = [randomBytes(1000), randomBytes(1000)] as const
  const statuses = await sendBoth('config', configs)
  expect([...statuses].sort()).toEqual([200, 403])
  const first = statuses[0] === 200 ? configs[0] : configs[1]
  expect(Buffer.from(await (await client.ask('GET', 'config')).arrayBuffer()).equals(first)).toBe(true)
  expect([await held(), await uploads()]).toEqual([{ ...nothing, liveBytes: 201_000 }, []])
})

test('a sender that goes away gives its room back', async () => {
  const bytes = randomBytes(200_000)
  const { req, status } = begin(await harness.grant('write'), `data/${sha256(bytes)}`, {
    'content-length': bytes.length,
  })
  req.write(bytes.subarray(0, 100_000))
  await until('room is reserved', async () => (await uploads()).length === 1)
  req.destroy(new Error('away'))
  await expect(status).rejects.toThrow('away')
  await until('the room is given back', async () => (await uploads()).length === 0)
  expect(await held()).toEqual(nothing)
})

test('507 when the disk is full by our own mark, and when it says so itself in the middle of a file', async () => {
  const folder = createFolderDriver(running.folder)
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  let space = { total: 100e9, free: 4.9e9 }
  const driver: VaultDriver = {
    ...folder,
    space: async () => space,
    async receive(id, of) {
      const incoming = await folder.receive(id, of)
      return { ...incoming, write: () => Promise.reject(full), discard: () => incoming.discard() }
    },
  }
  await using vault = await openVault(driver)
  const client = vaultClient({ ...(await harness.grant('write')), url: vault.url })
  const bytes = randomBytes(5000)
  expect((await client.post(`data/${sha256(bytes)}`, bytes)).status).toBe(507)
  space = { total: 100e9, free: 50e9 }
  expect((await client.post(`data/${sha256(bytes)}`, bytes)).status).toBe(507)
  expect([await held(), await uploads()]).toEqual([nothing, []])
  expect((await client.ask('GET', `data/${sha256(bytes)}`)).status).toBe(404)
})

test('a store that may not be used is answered as its operator’s trouble, and no file as one that is gone', async () => {
  const bytes = randomBytes(5000)
  const path = `data/${sha256(bytes)}`
  const grant = await harness.grant('write')
  expect((await vaultClient(grant).post(path, bytes)).status).toBe(200)
  const before = await held()
  const folder = createFolderDriver(running.folder)
  const refuse = () => Promise.reject(Object.assign(new Error('injected'), { code: 'EACCES' }))
  const driver: VaultDriver = { ...folder, open: refuse, receive: refuse }
  await using vault = await openVault(driver)
  const client = vaultClient({ ...grant, url: vault.url })
  const other = randomBytes(100)
  for (const answer of [await client.ask('GET', path), await client.post(`data/${sha256(other)}`, other)])
    expect([answer.status, await answer.text()]).toEqual([
      503,
      expect.stringContaining('The operator of the vault has to fix this.'),
    ])
  expect([await held(), await uploads()]).toEqual([before, []])
  expect(await listBadFiles(database.db, harness.repositoryId, 10)).toEqual([])
  expect((await vaultClient(grant).ask('GET', path)).status).toBe(200)
})

test('a file that its bucket has archived is answered as such before any of its bytes is promised', async () => {
  const bytes = randomBytes(5000)
  const path = `data/${sha256(bytes)}`
  const grant = await harness.grant('write')
  expect((await vaultClient(grant).post(path, bytes)).status).toBe(200)
  // As a bucket does: it tells of the object, and refuses to give it.
  const refusal = new S3Error('S3 answered 403 InvalidObjectState', { status: 403, code: 'InvalidObjectState' })
  const read = () => new Readable({ read: (): void => void 0, construct: (done) => done(refusal) })
  const archived: StoredFile = { bytes: bytes.length, storedAt: start, read, close: async () => undefined }
  const driver: VaultDriver = { ...createFolderDriver(running.folder), open: async () => archived }
  await using vault = await openVault(driver)
  const answer = await vaultClient({ ...grant, url: vault.url }).ask('GET', path)
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('must be restored from there')])
  expect(await listBadFiles(database.db, harness.repositoryId, 10)).toEqual([])
})

test('an account that asks too often is told so by HTTP, and what it sent then is not stored', async () => {
  // Six a minute for an account, 24 for a network.
  await using vault = await openVault(createFolderDriver(running.folder), { rateFactor: 1 / 10_000 })
  const client = vaultClient({ ...(await harness.grant('write')), url: vault.url })
  const bytes = randomBytes(5000)
  const path = `data/${sha256(bytes)}`
  for (let count = 0; count < 6; count += 1) expect((await client.ask('GET', path)).status).toBe(404)
  const refused = await client.post(path, bytes)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|10)$/)
  expect(await held()).toEqual(nothing)
  // Requests without a grant are refused for the whole network: before any grant is looked up.
  const guess = () => fetch(`${vault.url}config`)
  const statuses: number[] = []
  for (let count = 0; count < 60; count += 1) statuses.push((await guess()).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
})

test('a body of a byte at a time is cut; one that is waited for is not', async () => {
  const ends: string[] = []
  const server = http.createServer(async (req, res) => {
    let bytes = 0
    try {
      for await (const chunks of pacedBody(req, { bytes: 1000, windowMs: 200 })) bytes += Buffer.concat(chunks).length
      ends.push(`took ${bytes}`)
      res.end()
    } catch (error) {
      ends.push(error instanceof SlowBody ? 'slow' : 'cut')
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP listener's address is always this
  const grant = { url: `http://127.0.0.1:${port}/`, grantId: 'x', token: 'x' }
  const slow = begin(grant, 'data', { 'content-length': 100_000 })
  slow.req.on('error', () => undefined) // it is cut
  const drip = setInterval(() => slow.req.write('x'), 20)
  await until('it is cut', async () => ends.length === 1)
  clearInterval(drip)
  const quick = begin(grant, 'data', { 'content-length': 100_000 })
  quick.req.end(randomBytes(100_000))
  expect(await quick.status).toBe(200)
  expect(ends).toEqual(['slow', 'took 100000'])
  server.closeAllConnections()
  server.close()
})
