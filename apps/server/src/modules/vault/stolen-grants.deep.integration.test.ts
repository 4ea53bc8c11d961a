/** An attacker with the rights of a task can do nothing that cannot be undone, byte for byte. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { listSnapshotFiles, usageOf } from './index.ts'
import { restics, runRestic } from './testing/restic-programs.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { vaultClient } from './testing/vault-client.ts'
import { openVaultHarness, type VaultHarness } from './testing/vault-harness.ts'

const program = restics['0.18']
const database = useDatabase()
let running: RunningVault
let folder: string
let harness: VaultHarness
beforeAll(async () => {
  running = await runVault(database, { clock: systemClock })
  folder = mkdtempSync(join(tmpdir(), 'atoll-stolen-'))
  harness = await openVaultHarness(database, running.vault, systemClock)
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openAs(right: 'read' | 'write' | 'prune', more = {}) {
  const granted = await harness.grant(right, more)
  const { url, grantId, token } = granted
  const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
  const restic = (...args: string[]) => runRestic(program ?? '', { repository, cache: join(folder, 'cache') }, ...args)
  return { restic, grantId, client: vaultClient(granted) }
}
/** Every file of the repository but locks, with its bytes as hex. */
async function readAll(): Promise<Map<string, string>> {
  const place = join(running.folder, harness.repositoryId)
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = files.map(async (file) => [relative(place, file), (await readFile(file)).toString('hex')] as const)
  return new Map((await Promise.all(read)).filter(([name]) => !name.startsWith('locks/')).sort())
}
/** As restic asks for it: packs lie in folders of two digits, of which it knows nothing. */
const pathOf = (file: string) => file.replace(/^data\/..\//, 'data/')

test.skipIf(program === undefined)(
  'what was stolen from an agent deletes and changes nothing but locks, and what it prunes comes back whole',
  async () => {
    const source = join(folder, 'source')
    mkdirSync(source)
    const owner = await openAs('write')
    await owner.restic('init')
    for (const name of ['first', 'second', 'third']) {
      writeFileSync(join(source, 'changed'), randomBytes(60_000))
      writeFileSync(join(source, name), randomBytes(20_000))
      await (await openAs('write')).restic('backup', source)
    }
    const before = await readAll()
    const held = await usageOf(database.db, { repositoryId: harness.repositoryId })
    const [oldest] = await listSnapshotFiles(database.db, harness.repositoryId)
    const snapshot = oldest?.name ?? ''

    for (const right of ['read', 'write'] as const) {
      const { client, restic } = await openAs(right)
      for (const file of before.keys()) {
        expect([right, file, (await client.ask('DELETE', pathOf(file))).status]).toEqual([right, file, 403])
        if (right === 'write')
          expect([file, (await client.post(pathOf(file), randomBytes(50))).status]).not.toEqual([file, 200])
      }
      expect((await client.ask('DELETE', '')).status).toBe(403)
      // Told that it may not, restic says `0 / 1 files deleted` and ends well.
      await restic('forget', snapshot, '--no-cache')
      expect(await readAll()).toEqual(before)
    }
    const lock = 'ab'.repeat(32)
    expect((await owner.client.ask('DELETE', `locks/${lock}`)).status).not.toBe(403)

    // A task that prunes may take what no snapshot needs; a thief takes all that it lets go.
    const thief = await openAs('prune', { deletes: { snapshots: [snapshot] } })
    const taken = []
    for (const file of before.keys()) {
      if ((await thief.client.ask('DELETE', pathOf(file))).status === 200) taken.push(file)
    }
    expect(taken.filter((file) => /^(config|keys)/.test(file))).toEqual([])
    expect(taken.filter((file) => file.startsWith('snapshots/'))).toEqual([`snapshots/${snapshot}`])
    expect(taken.filter((file) => file.startsWith('data/')).length).toBeGreaterThan(0)
    const reader = await openAs('read')
    await expect(reader.restic('check', '--no-cache')).rejects.toThrow()
    const undo = (by: string) =>
      database.db.transaction().execute((trx) => running.vault.restore(trx, { repositoryId: harness.repositoryId, by }))
    expect(await undo(thief.grantId)).toEqual({ restored: taken.length, lost: 0 })
    expect(await readAll()).toEqual(before)
    expect(await usageOf(database.db, { repositoryId: harness.repositoryId })).toEqual(held)
    await reader.restic('check', '--read-data', '--no-cache')

    // The same of a prune as it should be: what restic moved lies beside what comes back.
    const tidy = await openAs('prune', { deletes: { snapshots: [snapshot] } })
    await tidy.restic('forget', snapshot)
    await tidy.restic('prune', '--max-unused', '0')
    expect(await listSnapshotFiles(database.db, harness.repositoryId)).toHaveLength(2)
    expect((await undo(tidy.grantId)).lost).toBe(0)
    const after = await readAll()
    for (const [file, bytes] of before) expect([file, after.get(file)]).toEqual([file, bytes])
    await reader.restic('check', '--read-data', '--no-cache')
    expect(JSON.parse(await reader.restic('snapshots', '--json', '--no-cache'))).toHaveLength(3)
    expect(running.damaged).toEqual([])
  },
)
