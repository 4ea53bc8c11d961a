/**
 * Part of the stored data is damaged: the rest is restored byte for byte, and damaged files are named and not left half
 * there.
 */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RestoreResult, RunResult } from '@atoll/contract/agents'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureResticOf } from '../../../../../scripts/programs/restic.ts'
import {
  type BackupHarness,
  backupId,
  createBackupHarness,
  emptyFolder,
  filesIn,
  hashTree,
  sealFor,
} from '../testing/backup-harness.ts'

const names = ['Music/a', 'Music/b: c', 'Music/sub/d', 'note']

describe.each([
  ['0.14', 'bookworm'],
  ['0.18', 'trixie'],
] as const)('restic %s', (_, suite) => {
  let harness: BackupHarness
  let drive: string
  let before: Record<string, string>
  let snapshotId: string
  let size = 0

  beforeAll(async () => {
    const restic = (await ensureResticOf(suite)) ?? ''
    if (restic === '') throw new Error('Debian’s package restic could not be fetched')
    harness = await createBackupHarness(restic)
    drive = harness.home.drive
    await mkdir(join(drive, 'Music/sub'), { recursive: true })
    for (const name of names) await writeFile(join(drive, name), randomBytes(400_000))
    before = await hashTree(drive)
    const box = await sealFor(harness.backups.publicKey)
    const asked = { repository: harness.repository('main'), backupId, paths: ['/'], first: true, box }
    const made = RunResult.parse(await harness.ask('backup.run', asked))
    if (made.outcome === 'failed') throw new Error(made.text)
    snapshotId = made.snapshotId
    size = made.bytes
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  async function restore(target: object) {
    await emptyFolder(join(harness.home.folder, 'backup/cache'))
    const common = { repository: harness.repository('main'), backupId, snapshotId, bytes: size }
    return RestoreResult.parse(await harness.ask('backup.restore', { ...common, target }))
  }

  async function unreadNames(): Promise<string[]> {
    const kept = JSON.parse(await readFile(join(harness.home.folder, 'backup/unread.json'), 'utf8'))
    return kept[backupId].restore.paths
  }

  /** Four bytes of a file of the store become others while `act` runs. */
  async function damaging<T>(file: string, at: number, act: () => Promise<T>): Promise<T> {
    await chmod(file, 0o600)
    const whole = await readFile(file)
    const handle = await open(file, 'r+')
    await handle.write(Buffer.from('XXXX'), 0, 4, at)
    await handle.close()
    try {
      return await act()
    } finally {
      await writeFile(file, whole)
    }
  }

  async function packs(): Promise<string[]> {
    const files = await Promise.all(
      (await filesIn(harness.stored('main'), 'data')).map(async (file) => ({ file, bytes: (await stat(file)).size })),
    )
    return files.toSorted((a, b) => b.bytes - a.bytes).map(({ file }) => file)
  }

  test('restores all but the file that is damaged, which is not left with holes, and names it', async () => {
    const [pack = ''] = await packs()
    await damaging(pack, 200_000, async () => {
      const back = await restore({ way: 'newFolder', name: 'Back' })
      expect(back).toMatchObject({ outcome: 'done', unreadFiles: 1, files: names.length - 1 })
      const came = await hashTree(join(drive, 'Back'))
      const [lost = '', ...more] = names.filter((name) => came[name] === undefined)
      expect(more).toEqual([])
      const { [lost]: _gone, ...rest } = before
      expect(came).toEqual(rest)
      expect(await unreadNames()).toEqual([`/${lost}`])
      await rm(join(drive, 'Back'), { recursive: true })

      // In a replace what is there in its place stays, and nothing of it is kept twice.
      for (const name of names) await writeFile(join(drive, name), `changed ${name}`)
      const changed = await hashTree(drive)
      const replaced = await restore({ way: 'replace', paths: ['/'], safetyId: null })
      if (replaced.outcome === 'failed' || !replaced.kept) throw new Error(JSON.stringify(replaced))
      expect(replaced).toMatchObject({ unreadFiles: 1, kept: { files: names.length - 1, isWhole: true } })
      const { folder } = replaced.kept
      const now = Object.entries(await hashTree(drive)).filter(([name]) => !name.startsWith(`${folder}/`))
      expect(Object.fromEntries(now)).toEqual({ ...before, [lost]: changed[lost] })
      await rm(join(drive, folder), { recursive: true })
    })
    const whole = await restore({ way: 'newFolder', name: 'Whole' })
    expect(whole).toMatchObject({ outcome: 'done' })
    expect(whole).not.toHaveProperty('unreadFiles')
    expect(await hashTree(join(drive, 'Whole'))).toEqual(before)
    await rm(join(drive, 'Whole'), { recursive: true })
  })

  test('leaves the drive as it was where the list of all files is damaged', async () => {
    const lists = (await packs()).at(-1) ?? ''
    const changed = await hashTree(drive)
    const length = (await stat(lists)).size
    // All of them, wherever in the pack each begins.
    const results = await damaging(lists, 20, () =>
      damaging(lists, Math.trunc(length / 3), () =>
        damaging(lists, Math.trunc(length / 2), () => restore({ way: 'replace', paths: ['/Music'], safetyId: null })),
      ),
    )
    if (results.outcome === 'done') {
      // The list of a folder inside alone was hit.
      expect(results.unreadFiles).toBeGreaterThan(0)
    } else {
      expect(results).toMatchObject({ failure: 'damaged' })
      expect(await hashTree(drive)).toEqual(changed)
    }
  })

  test('says of a damaged config, key, index or snapshot that it is damaged', async () => {
    for (const part of ['keys', 'index', 'snapshots']) {
      const [file = ''] = await filesIn(harness.stored('main'), part)
      const result = await damaging(file, 40, () => restore({ way: 'newFolder', name: 'Back' }))
      expect([part, result]).toEqual([part, expect.objectContaining({ outcome: 'failed' })])
      expect([part, 'failure' in result && result.failure]).toEqual([
        part,
        expect.stringMatching(/damaged|no_snapshot/),
      ])
    }
    const config = await damaging(join(harness.stored('main'), 'config'), 40, () =>
      restore({ way: 'newFolder', name: 'Back' }),
    )
    expect(config).toMatchObject({ failure: 'damaged' })
  })
})
