/** A drive that is backed up, lost with its machine, and restored as that of a new one is the same in every field. */
import { writeFileSync } from 'node:fs'
import { link, lstat, mkdir, readdir, readFile, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@atoll/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureResticOf } from '../../../../scripts/programs/restic.ts'
import { measureTree } from '../drive/drive-space.ts'
import type { StepContext } from '../drive/install-step.ts'
import {
  type BackupHarness,
  backupId,
  createBackupHarness,
  emptyFolder,
  openAgent,
  sealFor,
} from './testing/backup-harness.ts'

let harness: BackupHarness
let restic: string
let serial = 0
beforeAll(async () => {
  restic = (await ensureResticOf('trixie')) ?? ''
  if (restic === '') throw new Error('Debian’s package restic could not be fetched')
  harness = await createBackupHarness(restic)
})
afterAll(() => harness[Symbol.asyncDispose]())

const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('环礁', 'é', 'e\u0301', ' lead', 'trail ', '-rf', '*', 'a\nb', '\u202e'),
)
const fitting = name.filter((text) => !/[/\0]/.test(text) && !/^\.{1,2}$/.test(text) && Buffer.byteLength(text) < 200)
const seconds = fc.integer({ min: 1, max: 2 ** 31 - 1 })
type Node =
  | { kind: 'file'; bytes: Uint8Array; mode: number; at: number }
  | { kind: 'link'; to: string }
  | { kind: 'folder'; mode: number; at: number; nodes: Record<string, Node> }
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      kind: fc.constant('file' as const),
      bytes: fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ maxLength: 5000 })),
      mode: fc.constantFrom(0o600, 0o640, 0o755, 0o400),
      at: seconds,
    }),
    fc.record({ kind: fc.constant('link' as const), to: fc.constantFrom('nowhere', '../..', '/etc/passwd', '环礁') }),
    fc.record({
      kind: fc.constant('folder' as const),
      mode: fc.constantFrom(0o700, 0o755, 0o750),
      at: seconds,
      nodes: fc.dictionary(fitting, tie('node'), { maxKeys: 4 }),
    }),
  ),
}))

async function grow(path: string, nodes: Record<string, Node>): Promise<void> {
  for (const [key, one] of Object.entries(nodes)) {
    const place = join(path, key)
    if (one.kind === 'link') {
      await symlink(one.to, place)
      continue
    }
    if (one.kind === 'file') await writeFile(place, one.bytes, { mode: one.mode })
    else {
      await mkdir(place, { mode: one.mode })
      await grow(place, one.nodes)
    }
    await utimes(place, one.at, one.at)
  }
}

/**
 * One line for each entry with all that is to be the same, by bytes of names; of names of one file, which those are.
 */
async function inventory(root: string): Promise<string[]> {
  const firstNames = new Map<number, string>()
  async function walk(path: string, inner: string): Promise<string[]> {
    const lines: string[] = []
    for (const key of (await readdir(path)).sort()) {
      const place = join(path, key)
      const shown = `${inner}/${Buffer.from(key).toString('hex')}`
      const { mode, mtimeMs, size, uid, gid, ino, nlink } = await lstat(place)
      const kind = mode & 0o170000
      const isFolder = kind === 0o040000
      const isLink = kind === 0o120000
      const first = firstNames.get(ino) ?? shown
      firstNames.set(ino, first)
      const content = isLink ? await readlink(place) : isFolder ? '' : (await readFile(place)).toString('base64')
      const facts = [mode.toString(8), isLink ? '' : mtimeMs, isFolder ? '' : size, uid, gid, isFolder ? '' : nlink]
      lines.push([shown, ...facts, isFolder ? '' : first, content].join(' '))
      if (isFolder) lines.push(...(await walk(place, shown)))
    }
    return lines
  }
  return await walk(root, '')
}

/** A new machine that restores the snapshot as its install asks for; `step`: its step `restore`. */
async function openMachine(home: string) {
  const agent = await openAgent(home, restic)
  const lines: string[] = []
  const context = { signal: new AbortController().signal, say: (_: string, line: string) => void lines.push(line) }
  // The step reads no more of its context.
  const step = agent.backups.awaitDrive(context as unknown as StepContext)
  return { ...agent, lines, step }
}

async function restoreAnew(repository: string, snapshotId: string) {
  serial += 1
  const machine = await openMachine(join(harness.folder, `machine-${serial}`))
  const ask = async (password?: string) =>
    await machine.run(
      'backup.restore',
      {
        repository: harness.repository(repository),
        backupId,
        snapshotId,
        target: { way: 'newCluster' },
        box: await sealFor(machine.backups.publicKey, password),
      },
      { taskId: `at_machine${++serial}` },
    )
  return { machine, ask }
}

/** How many are tried. More of them: ATOLL_BACKUP_TREES. */
const trees = Number(process.env['ATOLL_BACKUP_TREES'] ?? 4)
test('any tree is the same on a new machine', async () => {
  let first = true
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fitting, node, { minKeys: 1, maxKeys: 4 }), async (nodes) => {
      await emptyFolder(harness.home.drive)
      await grow(harness.home.drive, nodes)
      const [linked] = Object.entries(nodes).find(([, one]) => one.kind === 'file') ?? []
      if (linked !== undefined) await link(join(harness.home.drive, linked), join(harness.home.drive, 'the-same-file'))
      const before = await inventory(harness.home.drive)
      const made = await harness.ask('backup.run', {
        repository: harness.repository('trees'),
        backupId,
        paths: ['/'],
        first,
        box: await sealFor(harness.backups.publicKey),
      })
      first = false
      if (made.outcome !== 'done' || !('snapshotId' in made)) throw new Error(JSON.stringify(made))
      await emptyFolder(harness.home.drive)
      const { machine, ask } = await restoreAnew('trees', String(made.snapshotId))
      expect(await ask()).toMatchObject({ outcome: 'done' })
      await machine.step
      expect(await inventory(machine.home.drive)).toEqual(before)
      machine.backups.stop()
      await rm(machine.home.folder, { recursive: true })
    }),
    { numRuns: trees },
  )
})

/** More of them: ATOLL_BACKUP_FILES. */
const many = Number(process.env['ATOLL_BACKUP_FILES'] ?? 2_000)
test(
  `${many} small files`,
  async () => {
    await emptyFolder(harness.home.drive)
    for (let folder = 0; folder < many / 1000; folder += 1) {
      const place = join(harness.home.drive, `${folder}`)
      await mkdir(place)
      for (let at = 0; at < 1000; at += 1) writeFileSync(join(place, `${at}`), `${folder} ${at}`)
    }
    const before = await measureTree(harness.home.drive)
    expect(before.files).toBe(many)
    const made = await harness.ask('backup.run', {
      repository: harness.repository('many'),
      backupId,
      paths: ['/'],
      first: true,
      box: await sealFor(harness.backups.publicKey),
    })
    expect(made).toMatchObject({ outcome: 'done', files: many, bytes: before.bytes, manifest: { files: many } })
    const snapshotId = 'snapshotId' in made ? String(made.snapshotId) : ''
    await emptyFolder(harness.home.drive)
    const { machine, ask } = await restoreAnew('many', snapshotId)
    expect(await ask()).toMatchObject({ outcome: 'done', files: many })
    await machine.step
    expect(await measureTree(machine.home.drive)).toEqual(before)
    machine.backups.stop()
    await rm(machine.home.folder, { recursive: true })
  },
  120_000 + many * 50,
)

test('a wrong password, or one in another case, leaves the step waiting for the right one', async () => {
  await emptyFolder(harness.home.drive)
  await writeFile(join(harness.home.drive, 'reef.txt'), 'Here be corals')
  const box = await sealFor(harness.backups.publicKey)
  const made = await harness.ask('backup.run', {
    repository: harness.repository('case'),
    backupId,
    paths: ['/'],
    first: true,
    box,
  })
  const { machine, ask } = await restoreAnew('case', 'snapshotId' in made ? String(made.snapshotId) : '')
  await until('the step waits', async () => machine.lines.length > 0)
  expect(await ask('CORRECT HORSE \\ "BATTERY" $STAPLE')).toMatchObject({ failure: 'wrong_password' })
  expect(await readdir(machine.home.drive)).toEqual([])
  expect(machine.lines.join()).toContain('wrong password, no key found; waiting for another one')
  expect(await ask()).toMatchObject({ outcome: 'done', files: 1, folder: null })
  await machine.step
  expect(await readFile(join(machine.home.drive, 'reef.txt'), 'utf8')).toBe('Here be corals')
  machine.backups.stop()

  // A machine that was killed after the files came finds them, and goes on.
  const again = await openMachine(machine.home.folder)
  await again.step
  expect(again.lines).toEqual(['1 files, 14 bytes'])
  again.backups.stop()
})
