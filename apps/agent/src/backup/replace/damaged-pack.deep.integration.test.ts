/**
 * A whole pack of the store is gone or cut short, for which restic asks again and again: the files of others come back.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RestoreResult, RunResult } from '@atoll/contract/agents'
import { expect, test } from 'vitest'
import { ensureResticOf } from '../../../../../scripts/programs/restic.ts'
import { backupId, createBackupHarness, filesIn, hashTree, sealFor, startProxy } from '../testing/backup-harness.ts'

/** Bytes that the pack is cut to. */
const shortBytes = 300_000

test.each([
  ['0.14', 'bookworm', 'is cut short', (file: string) => truncate(file, shortBytes)],
  ['0.18', 'trixie', 'is gone', (file: string) => rm(file)],
] as const)(
  'restic %s of %s restores the files of other packs where one %s',
  async (_version, suite, _fault, spoil) => {
    const restic = (await ensureResticOf(suite)) ?? ''
    if (restic === '') throw new Error('Debian’s package restic could not be fetched')
    await using harness = await createBackupHarness(restic)
    const { drive } = harness.home
    await mkdir(join(drive, 'Music/sub'), { recursive: true })
    for (const name of ['Music/a', 'Music/b', 'Music/b: c', 'Music/sub/d'])
      await writeFile(join(drive, name), randomBytes(400_000))
    const box = await sealFor(harness.backups.publicKey)
    const asked = { repository: harness.repository('main'), backupId, paths: ['/'], box }
    const first = RunResult.parse(await harness.ask('backup.run', { ...asked, first: true }))
    expect(first.outcome).toBe('done')
    const earlier = new Set(await filesIn(harness.stored('main'), 'data'))
    await writeFile(join(drive, 'Music/b: c'), randomBytes(24_000_000))
    const made = RunResult.parse(await harness.ask('backup.run', { ...asked, first: false }))
    if (made.outcome === 'failed') throw new Error(made.text)
    const before = await hashTree(drive)
    const added = await Promise.all(
      (await filesIn(harness.stored('main'), 'data'))
        .filter((file) => !earlier.has(file))
        .map(async (file) => ({ file, bytes: (await stat(file)).size })),
    )
    const [largest] = added.toSorted((a, b) => b.bytes - a.bytes)
    if (!largest) throw new Error('the second run stored nothing')
    await chmod(largest.file, 0o600)
    await spoil(largest.file)
    // As the vault answers (tending.integration.test.ts), which knows how long each file was.
    const vault = await startProxy(harness.origin, async (req) => {
      const end = Number(/-(\d+)$/.exec(req.headers.range ?? '')?.[1] ?? 0)
      return req.url?.endsWith(basename(largest.file)) && end >= shortBytes && existsSync(largest.file)
        ? 416
        : undefined
    })
    const repository = harness.repository('main', vault.origin)
    const restore = { repository, backupId, snapshotId: made.snapshotId, bytes: made.bytes }
    const target = { way: 'newFolder', name: 'Back' }
    const back = RestoreResult.parse(await harness.ask('backup.restore', { ...restore, target }))
    vault.stop()
    expect(back).toMatchObject({ outcome: 'done', unreadFiles: 1, files: 3 })
    const { 'Music/b: c': _lost, ...rest } = before
    expect(await hashTree(join(drive, 'Back'))).toEqual(rest)
    const kept = JSON.parse(await readFile(join(harness.home.folder, 'backup/unread.json'), 'utf8'))
    expect(kept[backupId].restore.paths).toEqual(['/Music/b: c'])
  },
)
