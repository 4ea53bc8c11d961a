/**
 * A password in another form of the same characters opens what it opened, and one that nobody can type makes nothing.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RestoreResult, RunResult } from '@atoll/contract/agents'
import { expect, test } from 'vitest'
import { ensureResticOf } from '../../../../scripts/programs/restic.ts'
import { backupId, createBackupHarness, filesIn, sealFor } from './testing/backup-harness.ts'
import { newestRestic } from './testing/supported-restics.ts'

const typed = 'Grüße aus Köln, 2026'
const [nfc, nfd] = [typed.normalize('NFC'), typed.normalize('NFD')]

test('passwords are used in one form, existing ones open in the form that they were made in, and unfit ones make nothing', async () => {
  const restic = (await ensureResticOf(newestRestic.suite)) ?? ''
  if (restic === '') throw new Error('Debian’s package restic could not be fetched')
  await using harness = await createBackupHarness(restic)
  await mkdir(harness.home.drive, { recursive: true })
  await writeFile(join(harness.home.drive, 'note'), 'kept')
  const kept = join(harness.home.folder, 'backup/passwords.json')
  const run = async (name: string, password: string, first = true) => {
    const box = await sealFor(harness.backups.publicKey, password)
    const asked = { repository: harness.repository(name), backupId, paths: ['/'], first, box }
    return RunResult.parse(await harness.ask('backup.run', asked))
  }

  // New: one form, whatever was sealed.
  expect(await run('new', nfd)).toMatchObject({ outcome: 'done' })
  expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ [backupId]: nfc })
  expect(await run('new', nfc, false)).toMatchObject({ outcome: 'done' })
  expect(await run('new', `${nfc}!`, false)).toMatchObject({ failure: 'wrong_password' })

  // Made before there was one form, as restic itself would with what a Mac sends.
  const old = join(harness.folder, 'repositories/old')
  await initAs(restic, old, nfd)
  const made = await run('old', nfc, false)
  if (made.outcome === 'failed') throw new Error(made.text)
  expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ [backupId]: nfd })
  await rm(kept)
  const box = await sealFor(harness.backups.publicKey, nfc)
  const restore = { repository: harness.repository('old'), backupId, snapshotId: made.snapshotId, box }
  const target = { way: 'newFolder', name: 'Back' }
  expect(RestoreResult.parse(await harness.ask('backup.restore', { ...restore, target }))).toMatchObject({
    outcome: 'done',
  })
  expect(await readFile(join(harness.home.drive, 'Back/note'), 'utf8')).toBe('kept')

  for (const unfit of ['a tab\tin the middle', '\u200b \u3000'.repeat(4), 'ends in one\n'])
    expect([unfit, await run('unfit', unfit)]).toEqual([unfit, expect.objectContaining({ failure: 'unfit_password' })])
  expect(
    await filesIn(harness.folder, 'repositories').then((files) => files.filter((file) => file.includes('/unfit/'))),
  ).toEqual([])
})

/** A repository as restic makes it with this password, byte for byte. */
async function initAs(restic: string, path: string, password: string): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: path, RESTIC_PASSWORD: password }
  await promisify(execFile)(restic, ['-r', path, 'init'], { env })
}
