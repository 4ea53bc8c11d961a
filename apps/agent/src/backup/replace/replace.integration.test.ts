/** Replacing files while the owner goes on working: everything is afterwards in the drive or in a snapshot. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { RestoreResult } from '@atoll/contract/agents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureResticOf } from '../../../../../scripts/programs/restic.ts'
import {
  type BackupHarness,
  backupId,
  createBackupHarness,
  emptyFolder,
  hashTree as hashes,
  sealFor,
  startProxy,
} from '../testing/backup-harness.ts'

let harness: BackupHarness

beforeAll(async () => {
  const restic = (await ensureResticOf('trixie')) ?? ''
  if (restic === '') throw new Error('Debian’s package restic could not be fetched')
  harness = await createBackupHarness(restic)
})
afterAll(() => harness[Symbol.asyncDispose]())

test('what is uploaded, changed, renamed or linked while the replace runs is moved, in one folder of the drive', async () => {
  const drive = harness.home.drive
  await mkdir(join(drive, 'Music/sub'), { recursive: true })
  for (const name of ['Music/a', 'Music/b', 'Music/c', 'Music/sub/d', 'beside'])
    await writeFile(join(drive, name), randomBytes(20_000))
  const box = await sealFor(harness.backups.publicKey)
  const common = { repository: harness.repository('during'), backupId, box }
  const run = { ...common, paths: ['/Music'], first: true }
  const first = await harness.ask('backup.run', run)
  await sleep(200)
  const safety = await harness.ask('backup.run', run)
  if (!('snapshotId' in first && 'snapshotId' in safety)) throw new Error('no snapshots')
  const before = await hashes(drive)
  const content = { late: randomBytes(9000), changed: randomBytes(20_000) }
  let isDone = false
  // While restic fetches what it restores.
  const proxy = await startProxy(harness.origin, async ({ method, url = '' }) => {
    if (method !== 'GET' || !url.includes('/data/') || isDone) return undefined
    isDone = true
    const write = (path: string, bytes: Buffer) =>
      harness.drive.write(path, Readable.from(bytes), { length: bytes.length, replace: true })
    await write('/Music/sub/late', content.late)
    await write('/Music/a', content.changed)
    await rename(join(drive, 'Music/b'), join(drive, 'Music/renamed'))
    await symlink('/etc/passwd', join(drive, 'Music/link'))
    await mkdir(join(drive, 'Music/new folder'))
    return undefined
  })
  await emptyFolder(join(harness.home.folder, 'backup/cache'))
  const usedBefore = await harness.drive.space.usedBytes()
  const done = await harness.ask('backup.restore', {
    ...common,
    repository: harness.repository('during', proxy.origin),
    snapshotId: first.snapshotId,
    target: { way: 'replace', paths: ['/Music'], safetyId: safety.snapshotId },
  })
  proxy.stop()
  expect(isDone).toBe(true)
  const result = RestoreResult.parse(done)
  if (result.outcome === 'failed' || !result.kept) throw new Error(`nothing was kept: ${JSON.stringify(done)}`)
  expect(result.kept).toEqual({ folder: expect.stringMatching(/^Before the restore of /), files: 3, isWhole: false })
  const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const kept = join(drive, result.kept.folder)
  expect(await hashes(kept)).toEqual({
    'Music/sub/late': sum(content.late),
    'Music/a': sum(content.changed),
    'Music/renamed': before['Music/b'],
  })
  expect((await readdir(join(kept, 'Music'))).toSorted()).toEqual(['a', 'link', 'new folder', 'renamed', 'sub'])
  const now = Object.entries(await hashes(drive)).filter(([name]) => !name.startsWith('Before'))
  expect(Object.fromEntries(now)).toEqual(before)
  expect(await harness.drive.space.usedBytes()).toBe(usedBefore + 9000 + 20_000 + 20_000)
  await rm(kept, { recursive: true })
})

test.each(['empty', 'missing'])('a drive that is %s gets every file back', async (state) => {
  const drive = harness.home.drive
  await mkdir(join(drive, 'Music/sub'), { recursive: true })
  for (const name of ['Music/a', 'Music/sub/b', 'note']) await writeFile(join(drive, name), randomBytes(20_000))
  const box = await sealFor(harness.backups.publicKey)
  const common = { repository: harness.repository(`lost-${state}`), backupId, box }
  const taken = await harness.ask('backup.run', { ...common, paths: ['/'], first: true })
  if (!('snapshotId' in taken)) throw new Error('no snapshot')
  const before = await hashes(drive)
  if (state === 'empty') await emptyFolder(drive)
  else await rm(drive, { recursive: true })
  const restored = await harness.ask('backup.restore', {
    ...common,
    snapshotId: taken.snapshotId,
    target: { way: 'replace', paths: ['/'], safetyId: null },
  })
  expect(restored).toMatchObject({ outcome: 'done' })
  expect(await hashes(drive)).toEqual(before)
})
