/** The vault on a bucket that answers 500, 503 SlowDown, errors after a 200, and cuts, and restic through it. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ObjectStore, runObjectStore, type StoreFault } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { createS3Driver } from './drivers/s3/s3-driver.ts'
import { reindexVault, usageOf } from './index.ts'
import { scrubBatch } from './maintenance/scrub.ts'
import { listBadFiles } from './records/file-store.ts'
import { requestScrubOf } from './records/scrub-store.ts'
import { restics, runRestic } from './testing/restic-programs.ts'
import { bucketOf, type RunningVault, runVault } from './testing/running-vault.ts'
import { sha256, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness, type VaultHarness } from './testing/vault-harness.ts'

const database = useDatabase()
let store: ObjectStore
let running: RunningVault
let harness: VaultHarness
let folder: string

beforeAll(async () => {
  store = await runObjectStore()
  running = await runVault(database, { clock: systemClock, bucket: bucketOf(store) })
  folder = mkdtempSync(join(tmpdir(), 'atoll-vault-s3-'))
})
afterAll(async () => {
  store.faultOf = () => undefined
  await running.close()
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  store.faultOf = () => undefined
  harness = await openVaultHarness(database, running.vault, systemClock)
})

const held = () => usageOf(database.db, { accountId: harness.userid })
const scrubAll = async () => {
  await requestScrubOf(database.db, harness.repositoryId, systemClock.now())
  const driver = createS3Driver(bucketOf(store))
  const counts = { scrubbed: () => undefined }
  const deps = { db: database.db, clock: systemClock, log: silentLog, driver, counts, onDamaged: async () => undefined }
  while ((await scrubBatch(deps, { bytesPerSecond: Number.POSITIVE_INFINITY })) > 0);
}

test.each([
  // An upload streams, so it cannot be repeated; a copy can.
  ...(['error', 'slowDown', 'cut', 'cutAfter'] as const).map((fault) => ({ fault, where: 'uploads/', times: 1 })),
  ...(['error', 'slowDown', 'errorInside', 'cut', 'cutAfter'] as const).flatMap((fault) =>
    [1, 100].map((times) => ({ fault, where: 'vr_', times })),
  ),
])('$fault, $times times at $where: a file is stored whole or not at all, its room given back', async (asked) => {
  const { fault, where, times } = asked
  const client = vaultClient(await harness.grant('write'))
  const bytes = randomBytes(300_000)
  const path = `data/${sha256(bytes)}`
  let left = times
  store.faultOf = ({ method, key }) => {
    if (method !== 'PUT' || !key.startsWith(where) || left === 0) return undefined
    left -= 1
    return fault
  }
  const isStored = where === 'vr_' && times === 1
  const whole = { liveBytes: bytes.length, reservedBytes: 0, trashBytes: 0 }
  expect((await client.post(path, bytes)).status).toBe(isStored ? 200 : 503)
  // A copy that was made and never confirmed is there: it is counted until it is sent again, or goes as trash.
  const isUnsaid = where === 'vr_' && fault === 'cutAfter' && !isStored
  const none = { ...whole, liveBytes: 0, trashBytes: isUnsaid ? bytes.length : 0 }
  expect(await held()).toEqual(isStored ? whole : none)
  expect((await client.ask('GET', path)).status).toBe(isStored ? 200 : 404)
  store.faultOf = () => undefined
  expect((await client.post(path, bytes)).status).toBe(200)
  expect(await held()).toEqual(whole)
  expect(Buffer.from(await (await client.ask('GET', path)).arrayBuffer()).equals(bytes)).toBe(true)
})

test('no connection to the database waits for the store', async () => {
  const client = vaultClient(await harness.grant('write'))
  const { pool } = database
  const busy: Record<string, number[]> = {}
  store.faultOf = ({ method, key }) => {
    busy[`${method} ${key.slice(0, 3)}`] ??= []
    busy[`${method} ${key.slice(0, 3)}`]?.push(pool.totalCount - pool.idleCount)
    return undefined
  }
  for (let turn = 0; turn < 5; turn += 1) {
    const bytes = randomBytes(1000)
    expect((await client.post(`locks/${sha256(bytes)}`, bytes)).status).toBe(200)
    expect((await client.ask('GET', `locks/${sha256(bytes)}`)).status).toBe(200)
    expect((await client.ask('DELETE', `locks/${sha256(bytes)}`)).status).toBe(200)
  }
  // Of five the tender may have been at work during one or the other.
  const least = Object.fromEntries(Object.entries(busy).map(([what, counts]) => [what, Math.min(...counts)]))
  expect(least).toMatchObject({ 'PUT upl': 0, 'PUT vr_': 0, 'GET vr_': 0, 'DELETE vr_': 0 })
  expect(await held()).toEqual({ liveBytes: 0, reservedBytes: 0, trashBytes: 0 })
})

test('bytes that are not what the name says reach no key of a repository', async () => {
  const client = vaultClient(await harness.grant('write'))
  const bytes = randomBytes(100_000)
  expect((await client.post(`data/${sha256(randomBytes(9))}`, bytes)).status).toBe(400)
  expect([...store.objects.keys()].filter((key) => key.startsWith(harness.repositoryId))).toEqual([])
  expect(await held()).toEqual({ liveBytes: 0, reservedBytes: 0, trashBytes: 0 })
})

test('reading again finds what is changed, short or gone, and takes a bucket that is away for no damage', async () => {
  const client = vaultClient(await harness.grant('write'))
  const files = [randomBytes(1000), randomBytes(1000), randomBytes(1000), randomBytes(1000)]
  for (const bytes of files) expect((await client.post(`data/${sha256(bytes)}`, bytes)).status).toBe(200)
  const keys = files.map((bytes) => `${harness.repositoryId}/data/${sha256(bytes).slice(0, 2)}/${sha256(bytes)}`)
  store.faultOf = () => 'slowDown'
  await expect(scrubAll()).rejects.toThrow('S3 answered 503')
  store.faultOf = () => undefined
  expect(await listBadFiles(database.db, harness.repositoryId, 10)).toEqual([])
  await scrubAll()
  expect(await listBadFiles(database.db, harness.repositoryId, 10)).toEqual([])
  const [changed = '', short = '', gone = ''] = keys
  const flipped = Buffer.from(files[0] ?? '')
  flipped[500] = (flipped[500] ?? 0) ^ 1
  store.objects.set(changed, { bytes: flipped, at: new Date() })
  store.objects.set(short, { bytes: (files[1] ?? flipped).subarray(0, 999), at: new Date() })
  store.objects.delete(gone)
  // restic would take fewer bytes for a connection that broke off.
  const cut = await client.ask('GET', `data/${sha256(files[1] ?? flipped)}`, { range: 'bytes=0-999' })
  expect(cut.status).toBe(416)
  await scrubAll()
  const bad = await listBadFiles(database.db, harness.repositoryId, 10)
  expect(bad.map(({ name }) => name).sort()).toEqual(files.slice(0, 3).map(sha256).sort())
})

test('a config and a key that are changed or gone in the bucket are answered whole, and put back', async () => {
  const client = vaultClient(await harness.grant('write'))
  for (const bytes of [randomBytes(155), randomBytes(450)]) {
    const address = bytes.length === 155 ? 'config' : `keys/${sha256(bytes)}`
    expect((await client.post(address, bytes)).status).toBe(200)
    const key = `${harness.repositoryId}/${address}`
    for (const damage of [
      () => store.objects.set(key, { bytes: randomBytes(bytes.length), at: new Date() }),
      () => store.objects.delete(key),
    ]) {
      damage()
      const answer = await client.ask('GET', address)
      expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(bytes))
      await scrubAll()
      expect(store.objects.get(key)?.bytes.equals(bytes)).toBe(true)
    }
  }
  expect(await listBadFiles(database.db, harness.repositoryId, 10)).toEqual([])
})

test('rows are created again from the bucket', async () => {
  const client = vaultClient(await harness.grant('write'))
  const bytes = randomBytes(1000)
  expect((await client.post(`data/${sha256(bytes)}`, bytes)).status).toBe(200)
  await database.pool.query('delete from vault_files where repo_id = $1', [harness.repositoryId])
  const place = { vaultDir: '/nowhere', vaultBucket: bucketOf(store) }
  const found = await reindexVault({ db: database.db, place, now: systemClock.now() })
  expect(found).toMatchObject({ damaged: [], unknown: [] })
  expect((await client.ask('GET', `data/${sha256(bytes)}`)).status).toBe(200)
})

const restic = restics['0.18'] ?? restics['0.14']
test.skipIf(restic === undefined)(
  'restic writes, checks and restores while one request in ten fails, and opens the bucket without the vault',
  async () => {
    const program = restic ?? ''
    const [source, cache, target] = [join(folder, 'source'), join(folder, 'cache'), join(folder, 'restored')]
    mkdirSync(source)
    const all = Array.from({ length: 20 }, () => randomBytes(200_000))
    for (const [at, bytes] of all.entries()) writeFileSync(join(source, `${at}`), bytes)
    const { url, grantId, token } = await harness.grant('write')
    const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
    const faults: StoreFault[] = ['error', 'slowDown', 'cut', 'cutAfter']
    let asked = 0
    store.faultOf = () => {
      asked += 1
      return asked % 10 === 0 ? faults[(asked / 10) % faults.length] : undefined
    }
    const through = (...args: string[]) => runRestic(program, { repository, cache }, ...args)
    await through('init')
    await through('backup', source)
    await through('check', '--read-data')
    await through('restore', 'latest', '--target', target)
    for (const [at, bytes] of all.entries())
      expect(readFileSync(join(target, source, `${at}`)).equals(bytes)).toBe(true)
    store.faultOf = () => undefined
    expect((await held()).reservedBytes).toBe(0)
    const plain = { repository: `s3:${store.url}/${store.bucket}/${harness.repositoryId}`, cache }
    const env = { AWS_ACCESS_KEY_ID: store.accessKeyId, AWS_SECRET_ACCESS_KEY: store.secretAccessKey }
    expect(JSON.parse(await runRestic(program, { ...plain, env }, 'snapshots', '--json', '--no-lock'))).toHaveLength(1)
  },
)
