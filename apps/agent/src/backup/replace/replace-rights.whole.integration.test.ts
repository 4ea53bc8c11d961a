/**
 * Replacing files: of what was there everything is afterwards in the drive or in a snapshot, byte for byte. restic and
 * agent run as an ordinary user here, to whom modes mean something.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, lchown, lstat, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ensureResticOf } from '../../../../../scripts/programs/restic.ts'
import { bundledProgram } from '../../../../../scripts/testing/bundled-program.ts'
import {
  type BackupHarness,
  backupId,
  createBackupHarness,
  hashTree as hashes,
  own,
} from '../testing/backup-harness.ts'

/** `nobody`; a test that is not run by root is that user's already. */
const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
let harness: BackupHarness
let restic: string
let program: string
let serial = 0
let drive: string
let home: string

beforeAll(async () => {
  restic = (await ensureResticOf('trixie')) ?? ''
  if (restic === '') throw new Error('Debian’s package restic could not be fetched')
  program = await bundledProgram(join(import.meta.dirname, '../testing/backup-process.ts'))
  await chmod(dirname(program), 0o755)
  harness = await createBackupHarness(restic)
  await chmod(harness.folder, 0o755)
})
afterAll(() => harness[Symbol.asyncDispose]())
beforeEach(async () => {
  serial += 1
  home = join(harness.folder, `home-${serial}`)
  drive = join(home, 'drive')
  await mkdir(drive, { recursive: true })
})

/** One task, in a process of the ordinary user, who owns all that is in the home. */
async function ask(kind: string, params: object) {
  for (const name of ['', ...(await readdir(home, { recursive: true }))]) {
    const place = join(home, name)
    // A change of owner is one of the file.
    if (ordinary.uid !== undefined && (await lstat(place)).uid !== ordinary.uid)
      await lchown(place, ordinary.uid, ordinary.gid)
  }
  serial += 1
  const repository = harness.repository(`of-${home.split('-').at(-1)}`)
  const child = spawn(process.execPath, [program], {
    ...ordinary,
    env: {
      PATH: process.env['PATH'],
      HOME_FOLDER: home,
      RESTIC: restic,
      OWN: own,
      TASK: JSON.stringify({ kind, taskId: `at_${serial}`, params: { repository, backupId, ...params } }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  await once(child, 'close')
  if (said.out === '') throw new Error(`ended without a result: ${said.err}`)
  return JSON.parse(said.out)
}

/** A snapshot of all, once no file is of this very moment any more: such a one is kept in any case. */
async function snapshot(paths = ['/']): Promise<{ snapshotId: string; unreadFiles: number }> {
  await sleep(200)
  const made = await ask('backup.run', { paths, first: true })
  expect(made).toMatchObject({ outcome: 'done' })
  return made
}

async function fill(names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(drive, name, '..'), { recursive: true })
    await writeFile(join(drive, name), randomBytes(20_000))
  }
}

test('what the snapshot that is taken first could not read is moved, not removed', async () => {
  await fill(['Music/a', 'Music/b', 'Music/secret', 'Music/shut/inside', 'Music/listed/inside', 'Music/fixed/c'])
  const { snapshotId } = await snapshot()
  await fill(['Music/secret', 'Music/shut/inside', 'Music/listed/inside'])
  const before = await hashes(drive)
  await chmod(join(drive, 'Music/secret'), 0)
  await chmod(join(drive, 'Music/shut'), 0)
  await chmod(join(drive, 'Music/listed'), 0o600)
  // Readable, and in the snapshot: nothing of it is kept, though its folder may not be written to.
  await chmod(join(drive, 'Music/fixed'), 0o555)
  const safety = await snapshot()
  expect(safety.unreadFiles).toBeGreaterThan(0)
  const done = await ask('backup.restore', {
    snapshotId,
    target: { way: 'replace', paths: ['/'], safetyId: safety.snapshotId },
  })
  expect(done).toMatchObject({ outcome: 'done', kept: { isWhole: false } })
  const kept = await hashes(join(drive, done.kept.folder))
  const lost = ['Music/secret', 'Music/shut/inside', 'Music/listed/inside']
  expect(kept).toEqual(Object.fromEntries(lost.map((name) => [name, before[name]])))
  const now = await hashes(drive)
  for (const name of ['Music/a', 'Music/b', 'Music/fixed/c']) expect(now[name]).toBe(before[name])
  expect(await readdir(home)).not.toContain('restored')
})

test('where no snapshot could be taken first, all that was there is moved', async () => {
  await fill(['Music/a', 'Music/sub/b', 'note'])
  const { snapshotId } = await snapshot(['/Music', '/note'])
  await fill(['Music/a', 'Music/c', 'note'])
  await fill(['beside'])
  const before = await hashes(drive)
  const target = { way: 'replace', paths: ['/Music', '/note'], safetyId: null }
  const done = await ask('backup.restore', { snapshotId, target })
  expect(done).toMatchObject({ outcome: 'done', kept: { files: 4, isWhole: true } })
  const { beside, ...replaced } = before
  expect(await hashes(join(drive, done.kept.folder))).toEqual(replaced)
  expect((await hashes(drive))['beside']).toBe(beside)
  // The same for the whole drive, with the folder of the time before in it; and for a snapshot that cannot be read.
  const whole = await snapshot()
  const again = await ask('backup.restore', {
    snapshotId: whole.snapshotId,
    target: { way: 'replace', paths: ['/'], safetyId: '1'.repeat(64) },
  })
  const all = await hashes(join(drive, again.kept.folder))
  for (const [name, hash] of Object.entries(replaced)) expect(all[`${done.kept.folder}/${name}`]).toBe(hash)
})

test('a replaced file that the snapshot holds leaves nothing behind, and one that is read-only is replaced', async () => {
  await fill(['note', 'Fixed/a'])
  const { snapshotId } = await snapshot(['/note', '/Fixed'])
  await fill(['note', 'Fixed/a'])
  await chmod(join(drive, 'Fixed'), 0o555)
  const safety = await snapshot(['/note', '/Fixed'])
  const target = { way: 'replace', paths: ['/note', '/Fixed', '/Fixed/a'], safetyId: safety.snapshotId }
  const done = await ask('backup.restore', { snapshotId, target })
  expect(done).toMatchObject({ outcome: 'done' })
  expect(done).not.toHaveProperty('kept')
  expect(Object.keys(await hashes(drive)).toSorted()).toEqual(['Fixed/a', 'note'])
  // Both are the older ones again: another restore of the newer brings those back.
  const back = await ask('backup.restore', {
    snapshotId: safety.snapshotId,
    target: { ...target, safetyId: snapshotId },
  })
  expect(back).toMatchObject({ outcome: 'done' })
})

test('what cannot be moved stops it, is named, and leaves the drive as it was', async () => {
  await fill(['Music/a', 'Fixed/sub/b', 'note'])
  const paths = ['/Music', '/Fixed/sub', '/note']
  const { snapshotId } = await snapshot(paths)
  await fill(['Music/a', 'Fixed/sub/b', 'note'])
  await chmod(join(drive, 'Fixed'), 0o555)
  const before = await hashes(drive)
  const stopped = await ask('backup.restore', { snapshotId, target: { way: 'replace', paths, safetyId: null } })
  expect(stopped).toMatchObject({
    outcome: 'failed',
    failure: 'not_moved',
    text: expect.stringContaining('/Fixed/sub'),
  })
  expect(await hashes(drive)).toEqual(before)
  expect(await readdir(drive)).toEqual(['Fixed', 'Music', 'note'])
  expect(await readdir(home)).not.toContain('restored')
})
