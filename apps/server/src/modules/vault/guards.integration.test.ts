/** With each guard on room closed, data still comes out, and forgetting and pruning really make room. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClock } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { createVault, listSnapshotFiles, type Vault } from './index.ts'
import { createVaultServer, type VaultServer } from './listener/vault-server.ts'
import { vaultLease } from './maintenance/lease.ts'
import { findPruneRoom } from './maintenance/prune-room.ts'
import { findReserve } from './maintenance/reserve.ts'
import { sweepVault } from './maintenance/sweep.ts'
import { findRefused } from './records/grant-store.ts'
import { captureComplaint, restics, runRestic } from './testing/restic-programs.ts'
import { sha256, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness, type VaultHarness } from './testing/vault-harness.ts'
import { createVaultCounts } from './vault-counts.ts'
import type { VaultDriver } from './vault-driver.ts'

const gib = 2 ** 30
const roomy = { total: 100e9, free: 50e9 }
const clock = createTestClock(new Date())
const database = useDatabase()
/** It does not listen: what sweeps here is the test. */
let vault: Vault
let stored: string
let server: VaultServer
let origin: string
let folder: string
let harness: VaultHarness
let quota: number | null = null
let space = roomy
let driver: VaultDriver

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-guards-'))
  stored = join(folder, 'vault')
  driver = { ...createFolderDriver(stored), space: async () => space }
  const config = { host: '127.0.0.1', vaultUrl: 'http://127.0.0.1', vaultDir: stored }
  vault = createVault({
    strayMs: 0,
    db: database.db,
    clock,
    log: silentLog,
    config,
    readQuota: quotaOf,
    onDamaged: async () => {},
  })
  const holder = 'vault-of-guards'
  await database.pool.query(`insert into leases (kind, name, holder, renewed_at) values ($1, $2, $2, now())`, [
    vaultLease.kind,
    holder,
  ])
  server = createVaultServer({
    db: database.db,
    clock,
    log: silentLog,
    driver,
    disk: createDiskGuard(driver),
    counts: createVaultCounts(),
    holder,
    uploads: new Set<string>(),
    readQuota: async () => quota,
    config: { host: '127.0.0.1' },
  })
  origin = `http://127.0.0.1:${await server.listen(0)}`
})
afterAll(async () => {
  await server.close(0)
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  harness = await openVaultHarness(database, vault, clock)
})
afterEach(() => {
  quota = null
  space = roomy
})

const quotaOf = async () => quota
const logged: unknown[] = []
const log = { ...silentLog, error: (fields: unknown) => void logged.push(fields) } as typeof silentLog // what is told
const sweep = () =>
  sweepVault({ db: database.db, clock, log, driver, disk: createDiskGuard(driver), readQuota: quotaOf })
const endTask = (taskId: string) => database.db.transaction().execute((trx) => vault.endGrants(trx, { taskId }))

async function grant(right: 'read' | 'write' | 'prune', more = {}, of = harness) {
  const granted = await of.grant(right, more)
  const url = granted.url.replace(/^http:\/\/[^/]+/, origin)
  return { ...granted, url, repository: `rest:${url.replace('://', `://${granted.grantId}:${granted.token}@`)}` }
}

function bytesOnDisk(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Each with another restic: a guard answers both alike, and what they make of its answer does not depend on it. */
const guards: [version: keyof typeof restics, name: string, close: () => void][] = [
  [
    '0.14',
    'the quota',
    () => {
      quota = 1000
    },
  ],
  [
    '0.18',
    'the reserve of the disk',
    () => {
      space = { total: 100e9, free: 4.9e9 }
    },
  ],
]

for (const [version, name, close] of guards) {
  const program = restics[version] ?? ''
  describe.skipIf(program === '')(`restic ${version}, closed: ${name}`, () => {
    test('restores, proves and downloads the same bytes; forgets, prunes, and a day later less is on the disk', async () => {
      const home = mkdtempSync(join(folder, 'home-'))
      const source = join(home, 'source')
      mkdirSync(source)
      let caches = 0
      const as = async (right: 'read' | 'write' | 'prune', more = {}) => {
        const { repository } = await grant(right, more)
        // As each machine has its own.
        caches += 1
        const cache = join(home, `cache-${caches}`)
        return (...args: string[]) => runRestic(program, { repository, cache }, ...args)
      }
      writeFileSync(join(source, 'kept'), randomBytes(2_000_000))
      writeFileSync(join(source, 'letter'), 'Dear owner')
      writeFileSync(join(source, 'old'), randomBytes(3_000_000))
      const first = await as('write')
      await first('init')
      await first('backup', source)
      rmSync(join(source, 'old'))
      clock.advance(1000)
      await (await as('write'))('backup', source)
      const hash = hashOf(join(source, 'kept'))
      const [oldest] = await listSnapshotFiles(database.db, harness.repositoryId)

      close()
      writeFileSync(join(source, 'new'), randomBytes(1_000_000))
      const refused = await grant('write', { taskId: `at_${name}_${version}` })
      const reached = { repository: refused.repository, cache: join(home, 'cache-0') }
      expect(await captureComplaint(program, { ...reached, complaint: /507/ }, 'backup', source)).toMatch(/507/)
      expect(await findRefused(database.db, `at_${name}_${version}`)).toBe(name === 'the quota' ? 'quota' : 'disk')
      await endTask(`at_${name}_${version}`)

      const bytes = async (target: string) => {
        await (await as('read'))('restore', 'latest', '--target', target)
        return hashOf(join(target, source, 'kept'))
      }
      expect(await bytes(join(home, 'here'))).toBe(hash)
      await (await as('read'))('check', '--read-data')
      expect(await (await as('read'))('dump', 'latest', join(source, 'letter'))).toBe('Dear owner')

      const place = join(stored, harness.repositoryId)
      const before = bytesOnDisk(place)
      const prune = await as('prune', { taskId: `at_prune_${version}`, deletes: { snapshots: [oldest?.name] } })
      await prune('forget', oldest?.name ?? '')
      const most = await findPruneRoom({ db: database.db, quotaOf }, harness.userid)
      await sweep()
      await prune('prune', '--max-unused', '0', ...(most === undefined ? [] : [`--max-repack-size=${most}`]))
      await endTask(`at_prune_${version}`)
      clock.advance(23 * 3600_000)
      expect(await sweep()).toMatchObject({ removed: 0 })
      clock.advance(2 * 3600_000)
      await sweep()
      expect(bytesOnDisk(place)).toBeLessThan(before - 2_900_000)
      expect(await bytes(join(home, 'later'))).toBe(hash)
      await (await as('read'))('check', '--read-data')
    })
  })
}

test('the operator is told of the reserve, once, and that it is over', async () => {
  await sweep()
  logged.length = 0
  space = { total: 100e9, free: 5e9 }
  await sweep()
  await sweep()
  expect(logged).toEqual([{ key: 'vault.reserve', left: 0 }])
  expect(await vault.describeRoom()).toContain(`since ${clock.now().toISOString()}`)
  expect((await vault.measure()).all.isAtReserve).toBe(true)
  space = roomy
  await sweep()
  expect([await vault.describeRoom(), await findReserve(database.db)]).toEqual([undefined, undefined])
})

test('into the reserve one prune writes at a time, never below 512 MiB; locks always, whatever else nothing', async () => {
  const other = await openVaultHarness(database, vault, clock)
  const file = () => {
    const bytes = randomBytes(900)
    return [sha256(bytes), bytes] as const
  }
  const post = async (granted: { url: string; grantId: string; token: string }, type = 'data') => {
    const [hash, bytes] = file()
    return (await vaultClient(granted).post(`${type}/${hash}`, bytes)).status
  }
  const [one, two] = [await grant('prune', { taskId: 'at_one' }), await grant('prune', {}, other)]
  space = { total: 10e9, free: 600 * 2 ** 20 }
  expect([await post(one), await post(one), await post(two)]).toEqual([200, 200, 507])
  await endTask('at_one')
  expect(await post(two)).toBe(200)
  space = { total: 10e9, free: 2 ** 29 }
  expect(await post(two)).toBe(507)
  for (const right of ['read', 'write', 'prune'] as const) {
    const granted = await grant(right)
    expect([right, await post(granted, 'locks')]).toEqual([right, 200])
    if (right !== 'prune') expect(await post(granted)).toBe(right === 'read' ? 403 : 507)
  }
})

test('over quota a prune writes 1 GiB more than is stored, and not a byte beyond, whatever it deletes meanwhile', async () => {
  const bytes = randomBytes(5000)
  expect((await vaultClient(await grant('write')).post(`data/${sha256(bytes)}`, bytes)).status).toBe(200)
  quota = 1
  const pruner = await grant('prune')
  const client = vaultClient(pruner)
  const [moved, more] = [randomBytes(4000), randomBytes(300)]
  expect((await client.post(`data/${sha256(moved)}`, moved)).status).toBe(200)
  expect((await client.ask('DELETE', `data/${sha256(moved)}`)).status).toBe(200)
  await database.pool.query(`update vault_files set bytes = $1 where repo_id = $2 and name = $3`, [
    gib - 200,
    harness.repositoryId,
    sha256(moved),
  ])
  expect((await client.post(`data/${sha256(more)}`, more)).status).toBe(507)
  const least = randomBytes(200)
  expect((await client.post(`data/${sha256(least)}`, least)).status).toBe(200)
})
