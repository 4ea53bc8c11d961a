/**
 * One bit that flips in any file of a real repository: the scrub names it alone, and Prove now finds it. A config and a
 * key, without which nothing could be read, are put back from their rows.
 */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { scrubLeft } from './index.ts'
import type { DamagedFile } from './maintenance/scrub.ts'
import { scrubBatch } from './maintenance/scrub.ts'
import { restics, runRestic } from './testing/restic-programs.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { openVaultHarness } from './testing/vault-harness.ts'
import { createVaultCounts } from './vault-counts.ts'

const database = useDatabase()
let running: RunningVault
let folder: string
beforeAll(async () => {
  running = await runVault(database, { clock: systemClock })
  folder = await mkdtemp(join(tmpdir(), 'atoll-damage-'))
})
afterAll(async () => {
  await running.close()
  await rm(folder, { recursive: true, force: true })
})

const program = restics['0.18']

test.skipIf(program === undefined)('in every stored file', async () => {
  const harness = await openVaultHarness(database, running.vault, systemClock)
  const { repositoryId } = harness
  /** Under a right of its own, as each task has one. */
  const restic = async (...args: string[]) => {
    const { url, grantId, token } = await harness.grant('write')
    const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
    return await runRestic(program ?? '', { repository, cache: join(folder, 'cache') }, ...args)
  }
  const source = join(folder, 'source')
  await mkdir(source)
  await restic('init')
  for (const name of ['first', 'second']) {
    await writeFile(join(source, name), randomBytes(40_000))
    await restic('backup', source)
  }
  const place = join(running.folder, repositoryId)
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  // config, key, and of each run a snapshot, an index, a pack of data and one of trees.
  expect(files.length).toBeGreaterThanOrEqual(10)
  const counts = createVaultCounts()
  const driver = createFolderDriver(running.folder)
  for (const file of files) {
    const bytes = await readFile(file)
    const flipped = Buffer.from(bytes)
    const at = Math.floor(Math.random() * bytes.length)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << Math.floor(Math.random() * 8)), at)
    await chmod(file, 0o600)
    await writeFile(file, flipped)
    // Prove now: what the agent runs, and then the store.
    const isFoundByRestic = await restic('check', '--read-data').then(
      () => false,
      () => true,
    )
    const damaged: DamagedFile[] = []
    await running.vault.scrub(database.db, repositoryId)
    const deps = { db: database.db, clock: systemClock, log: silentLog, driver, counts }
    const onDamaged = async (_: unknown, one: DamagedFile) => void damaged.push(one)
    while ((await scrubBatch({ ...deps, onDamaged }, { bytesPerSecond: 1e9 })) > 0);
    const [type = '', ...rest] = relative(place, file).split('/')
    if (type === 'config' || type === 'keys') {
      expect([type, isFoundByRestic, damaged]).toEqual([type, false, []])
      expect((await readFile(file)).equals(bytes)).toBe(true)
      await rm(file)
      const target = join(folder, `restored from ${type}`)
      await restic('restore', 'latest', '--target', target)
      for (const name of ['first', 'second'])
        expect(await readFile(join(target, source, name))).toEqual(await readFile(join(source, name)))
      await running.vault.scrub(database.db, repositoryId)
      while ((await scrubBatch({ ...deps, onDamaged }, { bytesPerSecond: 1e9 })) > 0);
      expect((await readFile(file)).equals(bytes)).toBe(true)
      continue
    }
    expect(damaged).toMatchObject([{ repositoryId, type, name: rest.at(-1) ?? type }])
    expect((await scrubLeft(database.db, repositoryId, new Date(0))).bad).toBe(1)
    // restic may miss what it does not read; what it reads most of, it must not.
    if (type === 'data' || type === 'index' || type === 'snapshots')
      expect([type, isFoundByRestic]).toEqual([type, true])
    await writeFile(file, bytes)
    await running.vault.scrub(database.db, repositoryId)
    while ((await scrubBatch({ ...deps, onDamaged }, { bytesPerSecond: 1e9 })) > 0);
    expect((await scrubLeft(database.db, repositoryId, new Date(0))).bad).toBe(0)
  }
  await restic('check', '--read-data')
})
