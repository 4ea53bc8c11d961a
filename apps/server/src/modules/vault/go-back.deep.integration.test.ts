/** A machine that was taken over, with all the rights of its tasks, and the way back to before it. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { silentLog } from '../../platform/log.ts'
import { createFolderDriver } from './drivers/folder/folder-driver.ts'
import { createDiskGuard } from './guards/disk-guard.ts'
import { findNamedFile, goBack, listGrantHistory, listSnapshotFiles, undoReturn, usageOf } from './index.ts'
import { sweepVault } from './maintenance/sweep.ts'
import { restics, runRestic } from './testing/restic-programs.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { sha256, vaultClient } from './testing/vault-client.ts'
import { openVaultHarness } from './testing/vault-harness.ts'

const clock = createTestClock(new Date())
const database = useDatabase()
let running: RunningVault
let folder: string
beforeAll(async () => {
  running = await runVault(database, { clock })
  folder = mkdtempSync(join(tmpdir(), 'atoll-back-'))
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openBackedUp(program: string) {
  const desk = await openVaultHarness(database, running.vault, clock)
  const { repositoryId } = desk
  const home = mkdtempSync(join(folder, 'home-'))
  const source = join(home, 'source')
  mkdirSync(source)
  async function open(right: 'read' | 'write' | 'prune', more = {}) {
    // Given one after another, as tasks are.
    clock.advance(1000)
    const granted = await desk.grant(right, more)
    const { url, grantId, token } = granted
    const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
    const restic = (...args: string[]) => runRestic(program, { repository, cache: join(home, 'cache') }, ...args)
    return { restic, grantId, client: vaultClient(granted) }
  }
  const back = (grantId: string) =>
    database.db.transaction().execute((trx) => goBack(trx, { repositoryId, grantId }, clock.now()))
  const undo = () => database.db.transaction().execute((trx) => undoReturn(trx, repositoryId, clock.now()))
  async function restored(snapshot: string): Promise<string[]> {
    const target = mkdtempSync(join(home, 'restored-'))
    await (await open('read')).restic('restore', snapshot, '--target', target, '--no-cache')
    return ['first', 'second'].map((name) => sha256(readFileSync(join(target, source, name))))
  }
  async function sums() {
    const { liveBytes, trashBytes } = await usageOf(database.db, { accountId: desk.userid })
    const { rows } = await database.pool.query(
      `select coalesce(sum(bytes) filter (where trashed_at is null), 0)::int as live,
        coalesce(sum(bytes) filter (where trashed_at is not null), 0)::int as trash from vault_files where repo_id = $1`,
      [repositoryId],
    )
    expect([liveBytes, trashBytes]).toEqual([rows[0].live, rows[0].trash])
  }
  const first = await open('write')
  await first.restic('init')
  writeFileSync(join(source, 'first'), randomBytes(2_000_000))
  writeFileSync(join(source, 'second'), randomBytes(300_000))
  await first.restic('backup', source)
  const hashes = ['first', 'second'].map((name) => sha256(readFileSync(join(source, name))))
  return { desk, repositoryId, source, open, back, undo, restored, sums, hashes, first }
}

describe.each(Object.entries(restics))('restic %s', (_, program = '') => {
  test.skipIf(program === '')(
    'snapshots from before a thief restore byte for byte, whatever was written, deleted or stored again; it can be undone',
    async () => {
      const harness = await openBackedUp(program)
      const { repositoryId, source, open, restored, hashes } = harness
      const of = { repositoryId, owner: harness.desk.userid, quota: null }
      // A later snapshot that shares nearly all packs, under a right that was stolen.
      const stolen = await open('write')
      writeFileSync(join(source, 'third'), randomBytes(50_000))
      await stolen.restic('backup', source)
      const [oldest, newest] = await listSnapshotFiles(database.db, repositoryId)
      const [before = '', after = ''] = [oldest?.name, newest?.name]
      expect(await restored(after)).toEqual(hashes)

      const junk = randomBytes(400)
      expect((await stolen.client.post(`index/${sha256(junk)}`, junk)).status).toBe(200)
      const complaint = await (await open('read')).restic('check', '--no-cache').catch(String)
      const named = await findNamedFile(database.db, repositoryId, String(complaint))
      expect(named).toMatchObject({ type: 'index', name: sha256(junk), grantId: stolen.grantId })

      const pruner = await open('prune', { deletes: { snapshots: [before] } })
      const { rows } = await database.pool.query(
        `select type, name from vault_files where repo_id = $1 and type in ('data', 'index', 'snapshots')`,
        [repositoryId],
      )
      for (const { type, name } of rows) {
        const path = `${type}/${name}`
        const bytes = Buffer.from(await (await stolen.client.ask('GET', path)).arrayBuffer())
        const { status } = await pruner.client.ask('DELETE', path)
        // Stored again it is to pass for its own, under its own right and under another.
        if (status === 200 && type === 'data') await pruner.client.post(path, bytes)
        if (status === 200 && type === 'index') await stolen.client.post(path, bytes)
      }
      await expect(restored(before)).rejects.toThrow()

      expect(await harness.back('vg_nowhere')).toBe('unknown')
      expect(await harness.back(harness.first.grantId)).toBe('nothingBefore')
      const history = await listGrantHistory(database.db, of)
      expect(history.map(({ grantId, gone }) => [grantId, gone])).toEqual([
        [pruner.grantId, null],
        [stolen.grantId, null],
        [harness.first.grantId, null],
      ])
      expect(await harness.back(stolen.grantId)).toMatchObject({ returnId: expect.stringMatching(/^vb_/) })
      await harness.sums()
      expect((await stolen.client.ask('GET', 'config')).status).toBe(401)
      expect((await listSnapshotFiles(database.db, repositoryId)).map(({ name }) => name)).toEqual([before])
      expect(await restored(before)).toEqual(hashes)
      await (await open('read')).restic('check', '--read-data', '--no-cache')

      // The trash of a way back that may be undone is no room for others, and nothing of the old is in it.
      expect(await harness.undo()).toBe(true)
      await harness.sums()
      await expect((await open('read')).restic('check', '--no-cache')).rejects.toThrow()
      expect(await harness.undo()).toBe(false)
      expect(await harness.back(stolen.grantId)).toMatchObject({ returnId: expect.stringMatching(/^vb_/) })
      expect(await restored(before)).toEqual(hashes)

      await (await open('write')).restic('backup', source, '--no-cache')
      const [, later] = await listSnapshotFiles(database.db, repositoryId)
      expect(await restored(later?.name ?? '')).toEqual(hashes)
      await (await open('read')).restic('check', '--read-data', '--no-cache')
      await harness.sums()
    },
  )
})

test.skipIf(restics['0.18'] === undefined)(
  'once what was taken is gone for good it is refused, naming how much; until then the date is said, and trash is kept',
  async () => {
    const harness = await openBackedUp(restics['0.18'] ?? '')
    const { repositoryId, open, source } = harness
    const of = { repositoryId, owner: harness.desk.userid, quota: null }
    const second = await open('write')
    writeFileSync(join(source, 'third'), randomBytes(50_000))
    await second.restic('backup', source)
    const pruner = await open('prune')
    const pack = async (of: string) => {
      const { rows } = await database.pool.query(
        `select name from vault_files where repo_id = $1 and type = 'data' and grant_id = $2 order by bytes desc`,
        [repositoryId, of],
      )
      return String(rows[0].name)
    }
    const [old, own] = [await pack(harness.first.grantId), await pack(second.grantId)]
    for (const name of [old, own]) expect((await pruner.client.ask('DELETE', `data/${name}`)).status).toBe(200)
    const day = 24 * 3600_000
    const until = async (grantId: string) =>
      (await listGrantHistory(database.db, of)).find((each) => each.grantId === grantId)
    expect((await until(pruner.grantId))?.until?.getTime()).toBe(clock.now().getTime() + 14 * day)
    const sweep = async (quota: number | null) => {
      const driver = createFolderDriver(running.folder)
      const deps = { db: database.db, clock, log: silentLog, driver, disk: createDiskGuard(driver) }
      return await sweepVault({ ...deps, readQuota: async () => quota })
    }
    clock.advance(2 * day)
    expect(await harness.back(second.grantId)).toMatchObject({ restored: 1 })
    // However little room there is: it may be undone.
    await sweep(1)
    expect(await harness.undo()).toBe(true)
    for (const name of [old, own]) await (await open('prune')).client.ask('DELETE', `data/${name}`)
    clock.advance(14 * day)
    await sweep(null)
    const { bytes } = (await until(second.grantId))?.gone ?? { bytes: 0 }
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(await harness.back(second.grantId)).toEqual({ gone: { files: 1, bytes } })
    expect(await harness.undo()).toBe(false)
  },
)
