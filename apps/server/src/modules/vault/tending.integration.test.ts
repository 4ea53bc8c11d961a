import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestClock, until } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { doubtStop, endCareful, raiseDoubt } from '../../platform/careful/index.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { reindexVault, usageOf } from './index.ts'
import type { DamagedFile } from './maintenance/scrub.ts'
import { scrubBatch } from './maintenance/scrub.ts'
import { sweepVault } from './maintenance/sweep.ts'
import { listBadFiles, trashFiles } from './records/file-store.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { sha256, type VaultClient, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness, type VaultHarness } from './testing/vault-harness.ts'
import { createVaultCounts } from './vault-counts.ts'

const start = new Date('2028-02-28T00:00:00Z')
const hourMs = 3600_000
const clock = createTestClock(start)
const database = useDatabase()
let running: RunningVault
let harness: VaultHarness
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
  harness = await openVaultHarness(database, running.vault, clock)
  client = vaultClient(await harness.grant('write', { until: new Date(start.getTime() + 48 * hourMs) }))
})
const pass = (hours: number) => clock.set(new Date(clock.now().getTime() + hours * hourMs))
const driver = () => createFolderDriver(running.folder)
const sweep = (at = driver()) => {
  const { db } = database
  return sweepVault({ db, clock, log: silentLog, driver: at, disk: createDiskGuard(at), readQuota: async () => quota })
}
const held = () => usageOf(database.db, { accountId: harness.userid })

/** Addresses of files that are due to be read. */
async function dueFiles(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('vault_files')
    .select(['type', 'name'])
    .where('repo_id', '=', harness.repositoryId)
    .where('scrub_at', '<=', clock.now())
    .execute()
  return rows.map(({ type, name }) => (type === 'config' ? type : `${type}/${name}`))
}

async function scrubAll(at = driver()): Promise<void> {
  const deps = { db: database.db, clock, log: silentLog, driver: at, counts: createVaultCounts() }
  const onDamaged = async (_: unknown, file: DamagedFile) => void damaged.push(file)
  while ((await scrubBatch({ ...deps, onDamaged }, { bytesPerSecond: 1e9 })) > 0);
}

const damages = [
  (path: string, bytes: Buffer) => {
    const at = Math.floor(Math.random() * bytes.length)
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << Math.floor(Math.random() * 8)), at)
    return writeFile(path, flipped)
  },
  (path: string) => truncate(path, 99),
  (path: string) => rm(path),
  // As of a sector that cannot be read: the system gives an error, and only for this file.
  async (path: string) => {
    await rm(path)
    await symlink(path, path)
  },
]

test('a bit that flips in any file, a file that is cut, gone or cannot be read are named, and never another', async () => {
  const types = ['snapshots', 'index', 'data', 'data'] as const
  const files: { type: string; name: string; path: string; bytes: Buffer<ArrayBuffer> }[] = []
  for (const type of types) {
    const bytes = randomBytes(1000)
    const name = sha256(bytes)
    const path = `${type}/${name}`
    expect((await client.post(path, bytes)).status).toBe(200)
    const inside = type === 'data' ? `data/${name.slice(0, 2)}/${name}` : path
    files.push({ type, name, bytes, path: join(running.folder, harness.repositoryId, inside) })
  }
  pass(24)
  await scrubAll()
  expect(damaged).toEqual([])
  for (const { type, name, path, bytes } of files) {
    await chmod(path, 0o600)
    for (const damage of damages) {
      await damage(path, bytes)
      await running.vault.scrub(database.db, harness.repositoryId)
      damaged.length = 0
      await scrubAll()
      expect(damaged).toMatchObject([{ type, name, repositoryId: harness.repositoryId, owner: harness.userid }])
      expect(await listBadFiles(database.db, harness.repositoryId, 10)).toMatchObject([{ type, name }])
      // It is sound again after it was uploaded again.
      expect((await client.post(`${type}/${name}`, bytes)).status).toBe(200)
      expect((await readFile(path)).equals(bytes)).toBe(true)
      expect(await listBadFiles(database.db, harness.repositoryId, 10)).toEqual([])
      await chmod(path, 0o600)
    }
  }
  expect((await held()).liveBytes).toBe(types.length * 1000)
})

test('a config and a key that are changed, cut, gone or cannot be read are answered whole, and put back by reading them', async () => {
  const contents = { config: randomBytes(155), keys: randomBytes(450) }
  for (const [type, bytes] of Object.entries(contents)) {
    const address = type === 'config' ? 'config' : `keys/${sha256(bytes)}`
    expect((await client.post(address, bytes)).status).toBe(200)
    const path = join(running.folder, harness.repositoryId, address)
    for (const damage of damages) {
      await chmod(path, 0o600)
      await damage(path, bytes)
      const answer = await client.ask('GET', address)
      expect([address, answer.status, sha256(Buffer.from(await answer.arrayBuffer()))]).toEqual([
        ...[address, 200, sha256(bytes)],
      ])
      expect((await client.ask('HEAD', address)).headers.get('content-length')).toBe(String(bytes.length))
      // The answer alone has it read soon.
      await until('the file is to be read', async () => (await dueFiles()).includes(address))
      await scrubAll()
      expect((await readFile(path)).equals(bytes)).toBe(true)
    }
  }
  expect([damaged, await listBadFiles(database.db, harness.repositoryId, 10)]).toEqual([[], []])
  expect((await held()).liveBytes).toBe(605)
})

test('a config and a key from before their rows held their bytes are put back once they were read', async () => {
  const bytes = randomBytes(450)
  expect((await client.post(`keys/${sha256(bytes)}`, bytes)).status).toBe(200)
  await database.db.updateTable('vault_files').set({ content: null }).execute()
  const path = join(running.folder, harness.repositoryId, 'keys', sha256(bytes))
  pass(24)
  await scrubAll()
  await rm(path)
  await running.vault.scrub(database.db, harness.repositoryId)
  await scrubAll()
  expect(damaged).toEqual([])
  expect((await readFile(path)).equals(bytes)).toBe(true)

  // One whose bytes nobody kept is damage, as before.
  await database.db.updateTable('vault_files').set({ content: null }).execute()
  await rm(path)
  await running.vault.scrub(database.db, harness.repositoryId)
  await scrubAll()
  expect(damaged).toMatchObject([{ type: 'keys', name: sha256(bytes) }])
})

test.each(['EACCES', 'EPERM', 'EROFS', 'EMFILE'])(
  'a store that says %s damages no backup: it is told as trouble, nothing is put back or removed, and the next reading is as ever',
  async (code) => {
    const trouble = Object.assign(new Error(`${code}: injected`), { code })
    const config = randomBytes(155)
    const [data, lock] = [randomBytes(1000), randomBytes(100)]
    const paths = [`data/${sha256(data)}`, `locks/${sha256(lock)}`]
    for (const [path, bytes] of [
      ['config', config],
      [paths[0], data],
      [paths[1], lock],
    ] as const)
      expect((await client.post(path ?? '', bytes)).status).toBe(200)
    const before = await held()
    pass(24)
    await running.vault.scrub(database.db, harness.repositoryId)
    const changed: string[] = []
    const failing = {
      open: () => Promise.reject(trouble),
      receive: () => Promise.reject(new Error(`written: ${changed.push('receive')}`)),
      remove: async () => void changed.push('remove'),
      listNames: driver().listNames,
    }
    const deps = { db: database.db, clock, log: silentLog, driver: failing, counts: createVaultCounts() }
    const onDamaged = async (_: unknown, file: DamagedFile) => void damaged.push(file)
    expect(await scrubBatch({ ...deps, onDamaged })).toBe(3)
    expect([damaged, changed, await listBadFiles(database.db, harness.repositoryId, 10)]).toEqual([[], [], []])
    expect(await held()).toEqual(before)
    // An hour later they are read, and sound.
    pass(2)
    expect(await dueFiles()).toHaveLength(3)
    await scrubAll()
    expect([damaged, await dueFiles()]).toEqual([[], []])
  },
)

test('a range that a file was cut short of is refused, and a range that it still has is answered', async () => {
  const bytes = randomBytes(1000)
  const name = sha256(bytes)
  expect((await client.post(`data/${name}`, bytes)).status).toBe(200)
  const path = join(running.folder, harness.repositoryId, 'data', name.slice(0, 2), name)
  await chmod(path, 0o600)
  await truncate(path, 500)
  const ask = (range: string) => client.ask('GET', `data/${name}`, { range: `bytes=${range}` })
  for (const range of ['0-999', '400-600', '500-', '-1'])
    expect([range, (await ask(range)).status]).toEqual([range, 416])
  const first = await ask('100-499')
  expect(first.status).toBe(206)
  expect(Buffer.from(await first.arrayBuffer()).equals(bytes.subarray(100, 500))).toBe(true)
  await until('the file is to be read', async () => (await dueFiles()).includes(`data/${name}`))
  await scrubAll()
  expect(damaged).toMatchObject([{ type: 'data', name }])
})

test('a lock that is changed or gone is no damage, and no longer there', async () => {
  const locks = [randomBytes(100), randomBytes(100)]
  for (const bytes of locks) expect((await client.post(`locks/${sha256(bytes)}`, bytes)).status).toBe(200)
  const [changed = '', gone = ''] = locks.map((bytes) =>
    join(running.folder, harness.repositoryId, 'locks', sha256(bytes)),
  )
  await chmod(changed, 0o600)
  await truncate(changed, 99)
  await rm(gone)
  await running.vault.scrub(database.db, harness.repositoryId)
  await scrubAll()
  expect([damaged, await listBadFiles(database.db, harness.repositoryId, 10)]).toEqual([[], []])
  expect(await (await client.ask('GET', 'locks/')).json()).toEqual([])
  expect((await held()).liveBytes).toBe(0)
})

test('a lock that its store fails to read stays, and one that is gone does not', async () => {
  const bytes = randomBytes(100)
  const name = sha256(bytes)
  const listed = async () => await (await client.ask('GET', 'locks/')).json()
  const broken: Partial<ReturnType<typeof driver>>[] = [
    { open: async () => undefined },
    // It says how long it is, and breaks off.
    { open: async () => ({ bytes: 100, storedAt: start, async *read() {}, close: async () => undefined }) },
  ]
  expect((await client.post(`locks/${name}`, bytes)).status).toBe(200)
  for (const faults of broken) {
    await running.vault.scrub(database.db, harness.repositoryId)
    await scrubAll({ ...driver(), ...faults })
    expect(await listed()).toEqual([name])
  }
  await rm(join(running.folder, harness.repositoryId, 'locks', name))
  expect((await client.ask('GET', `locks/${name}`)).status).toBe(404)
  expect(await listed()).toEqual([])
})

test('a disk that is not mounted is no damage, and nothing is written or removed in its place', async () => {
  const bytes = randomBytes(1000)
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
  expect(await listBadFiles(database.db, harness.repositoryId, 10)).toEqual([])
  expect((await client.ask('GET', data)).status).toBe(200)
  expect((await client.ask('DELETE', lock)).status).toBe(200)
})

test('a file is read within a day, and again within 30', async () => {
  await client.post(`data/${sha256(Buffer.from('x'))}`, Buffer.from('x'))
  const read = async () =>
    (await database.pool.query('select scrubbed_at from vault_files where repo_id = $1', [harness.repositoryId]))
      .rows[0]
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
  const grant = await harness.grant('prune')
  const pruner = vaultClient(grant)
  expect((await pruner.ask('DELETE', `data/${sha256(taken)}`)).status).toBe(200)
  expect((await pruner.ask('GET', `data/${sha256(taken)}`)).status).toBe(404)
  expect(await held()).toEqual({ liveBytes: 1000, reservedBytes: 0, trashBytes: 2000 })
  pass(13 * 24)
  await sweep()
  const of = { repositoryId: harness.repositoryId, by: grant.grantId }
  const undo = () => database.db.transaction().execute((trx) => running.vault.restore(trx, of))
  expect(await undo()).toEqual({ restored: 1, lost: 0 })
  const reader = vaultClient(await harness.grant('read'))
  const answer = await reader.ask('GET', `data/${sha256(taken)}`)
  expect(Buffer.from(await answer.arrayBuffer()).equals(taken)).toBe(true)
  const again = vaultClient(await harness.grant('prune'))
  await again.ask('DELETE', `data/${sha256(taken)}`)
  pass(14 * 24)
  expect(await sweep()).toMatchObject({ removed: 1 })
  expect(await held()).toEqual({ liveBytes: 1000, reservedBytes: 0, trashBytes: 0 })
  expect(await undo()).toEqual({ restored: 0, lost: 0 })
})

test.each(['careful', 'clock', 'stop'] as const)(
  'no trash goes while the deployment is in doubt: %s',
  async (about) => {
    const bytes = randomBytes(1000)
    const lock = randomBytes(100)
    for (const path of [`data/${sha256(bytes)}`, `locks/${sha256(lock)}`])
      await client.post(path, path.startsWith('data') ? bytes : lock)
    const inside = `data/${sha256(bytes).slice(0, 2)}/${sha256(bytes)}`
    const readKept = () => readFile(join(running.folder, harness.repositoryId, inside))
    const pruner = vaultClient(await harness.grant('prune'))
    expect((await pruner.ask('DELETE', `data/${sha256(bytes)}`)).status).toBe(200)
    if (about === 'stop') await doubtStop(database.db, { from: clock.now(), why: 'in a test', at: clock.now() })
    else await raiseDoubt(database.db, about, 'in a test', clock.now())
    try {
      quota = 1
      pass(15 * 24)
      await sweep()
      // To a clock that jumped the lock of work that goes on looks old, too.
      const liveBytes = about === 'careful' ? 0 : lock.length
      expect(await held()).toEqual({ liveBytes, reservedBytes: 0, trashBytes: 1000 })
      expect(sha256(await readKept())).toBe(sha256(bytes))
    } finally {
      await database.pool.query('delete from doubts')
    }
    await sweep()
    expect(await held()).toEqual({ liveBytes: 0, reservedBytes: 0, trashBytes: 0 })
    await expect(readKept()).rejects.toMatchObject({ code: 'ENOENT' })
  },
)

test('the days of trash are counted from the end of careful mode at the earliest', async () => {
  const bytes = randomBytes(1000)
  await client.post(`data/${sha256(bytes)}`, bytes)
  const pruner = vaultClient(await harness.grant('prune'))
  expect((await pruner.ask('DELETE', `data/${sha256(bytes)}`)).status).toBe(200)
  pass(15 * 24)
  await raiseDoubt(database.db, 'careful', 'in a test', clock.now())
  await database.db.transaction().execute((trx) => endCareful(trx, clock.now()))
  try {
    const trashAfter = async (hours: number) => {
      pass(hours)
      await sweep()
      return (await held()).trashBytes
    }
    quota = 1
    expect([await trashAfter(0), await trashAfter(23)]).toEqual([1000, 1000])
    quota = 5000
    expect([await trashAfter(12 * 24), await trashAfter(24)]).toEqual([1000, 1000])
    expect(await trashAfter(2)).toBe(0)
  } finally {
    await database.pool.query('delete from resumptions')
  }
})

test('trash beyond the quota goes sooner, the oldest first, but not within a day; what is sent again is no trash', async () => {
  const blobs = [randomBytes(1000), randomBytes(1000), randomBytes(1000)]
  const pruner = vaultClient(await harness.grant('prune', { until: new Date(start.getTime() + 100 * hourMs) }))
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

test('a file that its store does not remove holds up no other one, and goes an hour later', async () => {
  const { repositoryId } = harness
  const names = await Promise.all(
    ['data', 'locks'].flatMap((type) =>
      [1, 2].map(async () => {
        const bytes = randomBytes(1000)
        const name = sha256(bytes)
        expect((await client.post(`${type}/${name}`, bytes)).status).toBe(200)
        return name
      }),
    ),
  )
  const kept = [names[0], names[2]]
  const rows = database.db.selectFrom('vault_files').where('repo_id', '=', repositoryId)
  const left = async () => (await rows.select('name').execute()).map(({ name }) => name).sort()
  await database.db
    .transaction()
    .execute((trx) => trashFiles(trx, { repositoryId, by: 'bk_gone', files: { type: 'data', names } }, start))
  await database.pool.query('update vault_files set removing_at = $1 where repo_id = $2 and trashed_at is not null', [
    start,
    repositoryId,
  ])
  // The locks are too old by then.
  pass(3)
  const folder = driver()
  const remove: typeof folder.remove = async (key) => {
    if (kept.includes(key.name)) throw Object.assign(new Error('EPERM: injected'), { code: 'EPERM' })
    await folder.remove(key)
  }
  const removeUploads = () => Promise.reject(new Error('EPERM: injected'))
  await sweep({ ...folder, remove, removeUploads })
  expect(await left()).toEqual([...kept].sort())
  pass(2)
  await sweep()
  expect(await left()).toEqual([])
})

test('locks that nobody renews for two hours and grants that are over are removed', async () => {
  const [old, young] = [randomBytes(100), randomBytes(100)]
  await client.post(`locks/${sha256(old)}`, old)
  const over = vaultClient(await harness.grant('read'))
  pass(1.5)
  const later = vaultClient(await harness.grant('read'))
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
    harness.repositoryId,
  ])
  expect(rows).toEqual([{ bytes: liveBytes }])
  // A prune writes before it deletes.
  const bytes = randomBytes(2000)
  expect((await vaultClient(await harness.grant('prune')).post(`data/${sha256(bytes)}`, bytes)).status).toBe(200)
})

test('files without rows get them again, what is damaged or nobody knows is named', async () => {
  const [sound, bent, trash] = [randomBytes(1000), randomBytes(2000), randomBytes(500)]
  await client.post('config', randomBytes(155))
  for (const bytes of [sound, bent, trash]) await client.post(`data/${sha256(bytes)}`, bytes)
  await vaultClient(await harness.grant('prune')).ask('DELETE', `data/${sha256(trash)}`)
  const before = await held()
  const { repositoryId } = harness
  const { pool } = database
  await pool.query('delete from vault_files where repo_id = $1 and trashed_at is null', [repositoryId])
  await pool.query('update vault_usage set live_bytes = 0 where owner = $1', [harness.userid])
  const path = join(running.folder, repositoryId, 'data', sha256(bent).slice(0, 2), sha256(bent))
  await chmod(path, 0o600)
  await truncate(path, 1999)
  const reindex = () => reindexVault({ db: database.db, place: { vaultDir: running.folder }, now: clock.now() })
  expect(await reindex()).toMatchObject({ added: 2, damaged: [`${repositoryId}/data/${sha256(bent)}`], unknown: [] })
  expect(await held()).toEqual({ ...before, liveBytes: before.liveBytes - 2000 })
  expect(await reindex()).toMatchObject({ added: 0 })
  expect((await client.ask('GET', `data/${sha256(sound)}`)).status).toBe(200)
})
