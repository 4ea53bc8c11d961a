/** A vault whose database was brought back: by its claim, on a folder and on a bucket. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClock, createTestDatabase, runObjectStore, until } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { endCareful, findCareful, findDoubt, findHold, renewClaim, resumeClaims } from '../../platform/careful/index.ts'
import { newId } from '../../platform/crypto.ts'
import { createDatabase } from '../../platform/db/index.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { getDeployment } from '../../platform/facts/index.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createS3Driver } from './drivers/s3/s3-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { createVault } from './index.ts'
import { startMaintenance } from './maintenance/vault-maintenance.ts'
import { bucketOf } from './testing/running-vault.ts'
import { openVaultHarness } from './testing/vault-harness.ts'
import { createVaultCounts } from './vault-counts.ts'
import type { VaultDriver } from './vault-driver.ts'

const harness = useDatabase()
const clock = createTestClock(new Date('2027-03-01T10:00:00Z'))

/** One that only makes rows. */
const createIdleVault = () =>
  createVault({
    db: harness.db,
    clock,
    log: silentLog,
    strayMs: 0,
    readQuota: async () => null,
    onDamaged: async () => undefined,
    config: { host: '127.0.0.1', vaultUrl: 'http://127.0.0.1:1', vaultDir: '/nowhere' },
  })

async function behaves(driver: Pick<VaultDriver, 'claims'>, place: string): Promise<void> {
  const deployment = await getDeployment(harness.db)
  const renew = (db: typeof harness.db) =>
    renewClaim(db, { place, claims: driver.claims, deployment, now: clock.now() })
  expect(await renew(harness.db)).toBeUndefined()
  await using dump = await createTestDatabase({ copyOf: harness.url })
  await using sameDump = await createTestDatabase({ copyOf: dump.url })
  const restored = createDatabase({ connectionString: dump.url })
  const again = createDatabase({ connectionString: sameDump.url })
  const resume = ({ db }: typeof restored) =>
    db.transaction().execute(async (trx) => {
      const number = await endCareful(trx, clock.now())
      await resumeClaims(trx)
      return number
    })
  try {
    // Production goes on; the copy is older than what is in the vault.
    expect(await renew(harness.db)).toBeUndefined()
    expect(await renew(restored.db)).toBe('behind')
    expect((await findCareful(restored.db))?.why).toBe(`"${place}" knows number 2, this database only 1`)
    expect(await findCareful(harness.db)).toBeUndefined()
    expect(await driver.claims.read()).toEqual({ deployment, number: 2 })
    // In its place, once the operator said so.
    expect(await resume(restored)).toBe(1)
    expect(await renew(restored.db)).toBeUndefined()
    expect(await findCareful(restored.db)).toBeUndefined()
    expect(await driver.claims.read()).toEqual({ deployment, number: 3, series: 1 })
    // Restored from the same copy once more: what is issued in the series of the first time is not known there.
    expect(await renew(again.db)).toBe('behind')
    expect(await resume(again)).toBe(2)
    expect(await renew(again.db)).toBeUndefined()
    expect(await driver.claims.read()).toEqual({ deployment, number: 4, series: 2 })
  } finally {
    await Promise.all([restored.close(), again.close()])
  }
}

test('a database that is older than the vault in a folder is careful, until it is resumed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-claim-'))
  try {
    await behaves(createFolderDriver(folder), 'vault')
    expect(existsSync(join(folder, 'atoll-claim.json'))).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a database that is older than the vault in a bucket is careful, until it is resumed', async () => {
  await using store = await runObjectStore()
  await behaves(createS3Driver(bucketOf(store)), 'bucket')
})

test('an empty disk in place of the vault’s is a doubt: nothing is trash, removed, read again or damaged', async () => {
  const [folder, empty] = [mkdtempSync(join(tmpdir(), 'atoll-claim-')), mkdtempSync(join(tmpdir(), 'atoll-claim-'))]
  const damaged: string[] = []
  const tend = async (place: string) =>
    await startMaintenance({
      db: harness.db,
      clock,
      log: silentLog,
      driver: createFolderDriver(place),
      holder: newId('vh'),
      counts: createVaultCounts(),
      uploads: new Set<string>(),
      strayMs: 0,
      disk: createDiskGuard(createFolderDriver(place)),
      readQuota: async () => null,
      onDamaged: async (_, { name }) => void damaged.push(name),
    })
  const doubtOf = async () => (await findDoubt(harness.db, 'vault'))?.why
  try {
    await harness.db.deleteFrom('claims').where('place', '=', 'vault').execute()
    const desk = await openVaultHarness(harness, createIdleVault(), clock)
    const row = { repo_id: desk.repositoryId, type: 'data', name: 'ab'.repeat(32), bytes: 9 } as const
    const longAgo = new Date('2026-01-01T00:00:00Z')
    const mounted = await tend(folder)
    await until('it has its claim', () => existsSync(join(folder, 'atoll-claim.json')))
    await mounted.stop()
    await harness.db
      .insertInto('vault_files')
      .values({ ...row, stored_at: longAgo, scrub_at: longAgo })
      .execute()
    await harness.db
      .insertInto('vault_files')
      .values({
        ...row,
        name: 'cd'.repeat(32),
        stored_at: longAgo,
        scrub_at: longAgo,
        trashed_at: longAgo,
        trashed_by: 'rules',
      })
      .execute()

    mkdirSync(join(empty, 'uploads'))
    const lost = await tend(empty)
    await until('it is in doubt', async () => (await doubtOf())?.includes('is gone'))
    await lost.stop()
    const rows = () =>
      harness.pool.query('select name, bad_at, removing_at from vault_files where repo_id = $1 order by name', [
        desk.repositoryId,
      ])
    expect((await rows()).rows).toEqual([
      { name: row.name, bad_at: null, removing_at: null },
      { name: 'cd'.repeat(32), bad_at: null, removing_at: null },
    ])
    expect(damaged).toEqual([])
    expect(existsSync(join(empty, 'atoll-claim.json'))).toBe(false)
    expect(await findHold(harness.db, { waits: 'deadline', source: 'vault' })).toBeDefined()

    // Mounted again it goes on; where another place was meant, at the operator's word.
    const back = await tend(folder)
    await until('it is sure again', async () => (await doubtOf()) === undefined)
    await back.stop()
    await harness.db
      .deleteFrom('vault_files')
      .where('repo_id', '=', desk.repositoryId)
      .where('name', '=', row.name)
      .execute()
    const moved = await tend(empty)
    await until('it is in doubt', async () => (await doubtOf())?.includes('is gone'))
    await moved.stop()
    expect(await resumeClaims(harness.db)).toEqual(['vault'])
    const meant = await tend(empty)
    await until('it is sure again', async () => (await doubtOf()) === undefined)
    await meant.stop()
    expect(existsSync(join(empty, 'atoll-claim.json'))).toBe(true)
  } finally {
    for (const place of [folder, empty]) rmSync(place, { recursive: true })
  }
})
