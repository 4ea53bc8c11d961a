import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { reindexVault, usageOf } from './index.ts'
import { listBadFiles } from './records/file-store.ts'
import type { DamagedFile } from './tend/scrub.ts'
import { scrubBatch } from './tend/scrub.ts'
import { sweepVault } from './tend/sweep.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { sha256, type VaultClient, vaultClient } from './testing/vault-client.ts'
import { openVaultDesk, type VaultDesk } from './testing/vault-desk.ts'
import { createVaultCounts } from './vault-counts.ts'

const start = new Date('2028-02-28T00:00:00Z')
const hourMs = 3600_000
const clock = createTestClock(start)
const database = useDatabase()
let running: RunningVault
let desk: VaultDesk
let client: VaultClient
let quota: number | null = null
const damaged: DamagedFile[] = []

beforeAll(async () => {
  running = await runVault(database, { clock, quota: () => quota })
})
afterAll(async () => {
  await running.close()
})
beforeEach(async () => {
  clock.set(start)
  quota = null
  damaged.length = 0
  desk = await openVaultDesk(database, running.vault, clock)
  client = vaultClient(await desk.grant('write', { until: new Date(start.getTime() + 48 * hourMs) }))
})
const pass = (hours: number) => clock.set(new Date(clock.now().getTime() + hours * hourMs))
const driver = () => createFolderDriver(running.folder)
const sweep = () => sweepVault({ db: database.db, clock, driver: driver(), readQuota: async () => quota })
const held = () => usageOf(database.db, { accountId: desk.userid })

async function scrubAll(): Promise<void> {
  const deps = { db: database.db, clock, log: silentLog, driver: driver(), counts: createVaultCounts() }
  const onDamaged = async (_: unknown, file: DamagedFile) => void damaged.push(file)
  while ((await scrubBatch({ ...deps, onDamaged }, { bytesPerSecond: 1e9 })) > 0);
}

test('a bit that flips in any file, a file that is cut and one that is gone are named, and never another', async () => {
  const types = ['config', 'keys', 'locks', 'snapshots', 'index', 'data', 'data'] as const
  const files: { type: string; name: string; path: string; bytes: Buffer<ArrayBuffer> }[] = []
  for (const type of types) {
    const bytes = randomBytes(5000)
    const name = type === 'config' ? 'config' : sha256(bytes)
    const path = type === 'config' ? 'config' : `${type}/${name}`
    expect((await client.post(path, bytes)).status).toBe(200)
    const inside = type === 'data' ? `data/${name.slice(0, 2)}/${name}` : path
    files.push({ type, name, bytes, path: join(running.folder, desk.repositoryId, inside) })
  }
  pass(24)
  await scrubAll()
  expect(damaged).toEqual([])
  const damages = [
    (path: string, bytes: Buffer) => {
      const at = Math.floor(Math.random() * bytes.length)
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << Math.floor(Math.random() * 8)), at)
      return writeFile(path, flipped)
    },
    (path: string) => truncate(path, 4999),
    (path: string) => rm(path),
  ]
  for (const { type, name, path, bytes } of files) {
    await chmod(path, 0o600)
    for (const damage of damages) {
      await damage(path, bytes)
      await running.vault.scrub(database.db, desk.repositoryId)
      damaged.length = 0
      await scrubAll()
      expect(damaged).toMatchObject([{ type, name, repositoryId: desk.repositoryId, owner: desk.userid }])
      expect(await listBadFiles(database.db, desk.repositoryId, 10)).toMatchObject([{ type, name }])
      // Sent anew it is sound again.
      const address = type === 'config' ? 'config' : `${type}/${name}`
      expect((await client.post(address, bytes)).status).toBe(200)
      expect((await readFile(path)).equals(bytes)).toBe(true)
      expect(await listBadFiles(database.db, desk.repositoryId, 10)).toEqual([])
      await chmod(path, 0o600)
    }
  }
  expect((await held()).liveBytes).toBe(types.length * 5000)
})

test('a disk that is not mounted is no damage, and nothing is written or removed in its place', async () => {
  const bytes = randomBytes(5000)
  const data = `data/${sha256(bytes)}`
  const lock = `locks/${sha256(bytes)}`
  for (const path of [data, lock]) expect((await client.post(path, bytes)).status).toBe(200)
  pass(24)
  const { folder } = running
  await rename(folder, `${folder}-away`)
  await mkdir(folder)
  try {
    const scrubbing = createFolderDriver(folder, async () => true)
    const deps = { db: database.db, clock, log: silentLog, driver: scrubbing, counts: createVaultCounts() }
    const onDamaged = async (_: unknown, file: DamagedFile) => void damaged.push(file)
    await expect(scrubBatch({ ...deps, onDamaged })).rejects.toThrow('is the disk of the vault mounted?')
    const more = randomBytes(100)
    expect((await client.ask('GET', data)).status).toBe(500)
    expect((await client.post(`data/${sha256(more)}`, more)).status).toBe(500)
    expect((await client.ask('POST', '?create=true')).status).toBe(500)
    expect((await client.ask('DELETE', lock)).status).toBe(500)
    expect(await readdir(folder)).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
    await rename(`${folder}-away`, folder)
  }
  pass(2)
  await scrubAll()
  expect(damaged).toEqual([])
  expect(await listBadFiles(database.db, desk.repositoryId, 10)).toEqual([])
  expect((await client.ask('GET', data)).status).toBe(200)
  expect((await client.ask('DELETE', lock)).status).toBe(200)
})

test('a file is read within a day, and again within 30', async () => {
  await client.post(`data/${sha256(Buffer.from('x'))}`, Buffer.from('x'))
  const read = async () =>
    (await database.pool.query('select scrubbed_at from vault_files where repo_id = $1', [desk.repositoryId])).rows[0]
  pass(23)
  await scrubAll()
  expect(await read()).toEqual({ scrubbed_at: clock.now() })
  pass(29 * 24)
  await scrubAll()
  expect(await read()).toEqual({ scrubbed_at: clock.now() })
})

test('what a prune took comes back whole within 14 days, and is gone after', async () => {
  const [kept, taken] = [randomBytes(1000), randomBytes(2000)]
  for (const bytes of [kept, taken]) await client.post(`data/${sha256(bytes)}`, bytes)
  const grant = await desk.grant('prune')
  const pruner = vaultClient(grant)
  expect((await pruner.ask('DELETE', `data/${sha256(taken)}`)).status).toBe(200)
  expect((await pruner.ask('GET', `data/${sha256(taken)}`)).status).toBe(404)
  expect(await held()).toEqual({ liveBytes: 1000, reservedBytes: 0, trashBytes: 2000 })
  pass(13 * 24)
  await sweep()
  const of = { repositoryId: desk.repositoryId, by: grant.grantId }
  const undo = () => database.db.transaction().execute((trx) => running.vault.restore(trx, of))
  expect(await undo()).toEqual({ restored: 1, lost: 0 })
  const reader = vaultClient(await desk.grant('read'))
  const answer = await reader.ask('GET', `data/${sha256(taken)}`)
  expect(Buffer.from(await answer.arrayBuffer()).equals(taken)).toBe(true)
  const again = vaultClient(await desk.grant('prune'))
  await again.ask('DELETE', `data/${sha256(taken)}`)
  pass(14 * 24)
  expect(await sweep()).toMatchObject({ removed: 1 })
  expect(await held()).toEqual({ liveBytes: 1000, reservedBytes: 0, trashBytes: 0 })
  expect(await undo()).toEqual({ restored: 0, lost: 0 })
})

test('trash beyond the quota goes sooner, the oldest first, but not within a day; what is sent again is no trash', async () => {
  const blobs = [randomBytes(1000), randomBytes(1000), randomBytes(1000)]
  const pruner = vaultClient(await desk.grant('prune', { until: new Date(start.getTime() + 100 * hourMs) }))
  for (const bytes of blobs) {
    await pruner.post(`data/${sha256(bytes)}`, bytes)
    await pruner.ask('DELETE', `data/${sha256(bytes)}`)
    pass(1)
  }
  quota = 2500
  pass(20)
  expect(await sweep()).toMatchObject({ removed: 0 })
  pass(10)
  expect(await sweep()).toMatchObject({ removed: 1 })
  expect(await held()).toMatchObject({ liveBytes: 0, trashBytes: 2000 })
  const [, second = Buffer.alloc(0)] = blobs
  expect((await pruner.post(`data/${sha256(second)}`, second)).status).toBe(200)
  expect(await held()).toMatchObject({ liveBytes: 1000, trashBytes: 1000 })
})

test('locks that nobody renews for two hours and grants that are over are removed', async () => {
  const [old, young] = [randomBytes(100), randomBytes(100)]
  await client.post(`locks/${sha256(old)}`, old)
  const over = vaultClient(await desk.grant('read'))
  pass(1.5)
  const later = vaultClient(await desk.grant('read'))
  await later.post(`locks/${sha256(young)}`, young)
  pass(0.6)
  const swept = await sweep()
  expect(swept.grants).toBeGreaterThanOrEqual(1)
  expect(swept).toMatchObject({ locks: 1 })
  const listed = await later.ask('GET', 'locks/')
  expect(await listed.json()).toEqual([sha256(young)])
  expect((await over.ask('GET', 'locks/')).status).toBe(401)
})

test('twenty writers at the limit never pass it, and leave nothing reserved', async () => {
  quota = 100_000
  const limit = quota
  let most = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { liveBytes, reservedBytes } = await held()
      most = Math.max(most, liveBytes + reservedBytes)
    }
  })()
  const statuses: number[] = []
  const writers = Array.from({ length: 20 }, async () => {
    for (let file = 0; file < 12; file += 1) {
      const bytes = randomBytes(1 + Math.floor(Math.random() * 2000))
      statuses.push((await client.post(`data/${sha256(bytes)}`, bytes)).status)
    }
  })
  await Promise.all(writers)
  isOver = true
  await watching
  const { liveBytes, reservedBytes } = await held()
  expect(new Set(statuses)).toEqual(new Set([200, 507]))
  expect(reservedBytes).toBe(0)
  expect(liveBytes).toBeGreaterThan(limit - 2000)
  expect(Math.max(most, liveBytes)).toBeLessThanOrEqual(limit)
  const { rows } = await database.pool.query('select sum(bytes)::int as bytes from vault_files where repo_id = $1', [
    desk.repositoryId,
  ])
  expect(rows).toEqual([{ bytes: liveBytes }])
  // A prune writes before it deletes.
  const bytes = randomBytes(2000)
  expect((await vaultClient(await desk.grant('prune')).post(`data/${sha256(bytes)}`, bytes)).status).toBe(200)
})

test('files without rows get them again, what is damaged or nobody knows is named', async () => {
  const [sound, bent, trash] = [randomBytes(1000), randomBytes(2000), randomBytes(500)]
  await client.post('config', randomBytes(155))
  for (const bytes of [sound, bent, trash]) await client.post(`data/${sha256(bytes)}`, bytes)
  await vaultClient(await desk.grant('prune')).ask('DELETE', `data/${sha256(trash)}`)
  const before = await held()
  const { repositoryId } = desk
  const { pool } = database
  await pool.query('delete from vault_files where repo_id = $1 and trashed_at is null', [repositoryId])
  await pool.query('update vault_usage set live_bytes = 0 where owner = $1', [desk.userid])
  const path = join(running.folder, repositoryId, 'data', sha256(bent).slice(0, 2), sha256(bent))
  await chmod(path, 0o600)
  await truncate(path, 1999)
  const reindex = () => reindexVault({ db: database.db, place: { vaultDir: running.folder }, now: clock.now() })
  expect(await reindex()).toMatchObject({ added: 2, damaged: [`${repositoryId}/data/${sha256(bent)}`], unknown: [] })
  expect(await held()).toEqual({ ...before, liveBytes: before.liveBytes - 2000 })
  expect(await reindex()).toMatchObject({ added: 0 })
  expect((await client.ask('GET', `data/${sha256(sound)}`)).status).toBe(200)
})
