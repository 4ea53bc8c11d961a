/** The console finds files in a snapshot and puts them back, beside the present ones or in their place; real restic. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LookEntry } from '@atoll/contract/backups'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf } from '../repository/find-entry.ts'
import { password } from '../testing/backup-harness.ts'
import {
  type LookHarness,
  longest,
  lookFiles,
  newline,
  odd,
  oddText,
  openLookHarness,
} from '../testing/look-harness.ts'

const many = 5000
let harness: LookHarness
beforeAll(async () => {
  harness = await openLookHarness(async (drive) => {
    await mkdir(join(drive, 'many'))
    for (let at = 0; at < many; at += 1) await writeFile(join(drive, `many/file ${at}`), '')
  })
})
afterAll(() => harness?.[Symbol.asyncDispose]())
const named = (entries: readonly LookEntry[]) => entries.map(({ name }) => name)

test('a folder shows its entries of whatever name, with what all in a folder takes', async () => {
  expect((await harness.page({ path: '/' })).entries).toMatchObject([
    { name: 'many', kind: 'folder', files: many, size: 0 },
    { name: 'Uni', kind: 'folder', files: 5, size: 70_000 + 16 + 6 + 4 + 9 },
  ])
  const { entries } = await harness.page({ path: '/Uni' })
  expect(named(entries)).toEqual(['Notes', 'notes.txt', 'thesis.pdf', newline, longest])
  expect(entries[1]).toEqual({ name: 'notes.txt', kind: 'file', size: 16, files: null, modifiedAt: 1_600_000_000_000 })
  expect(named((await harness.page({ path: '/Uni/Notes' })).entries)).toEqual([oddText])
})

test('a folder of 5,000 files comes in pages, each entry once', async () => {
  const seen: string[] = []
  while (seen.length < many) {
    const { entries, total, offset } = await harness.page({ path: '/many', offset: seen.length })
    expect({ total, offset }).toEqual({ total: many, offset: seen.length })
    expect(entries.length).toBe(200)
    seen.push(...named(entries))
  }
  expect(new Set(seen).size).toBe(many)
})

test('names are found anywhere, and lead to where they lie', async () => {
  expect(await harness.page({ path: '/', find: 'PDF thesis' })).toMatchObject({
    total: 1,
    truncated: false,
    entries: [{ name: 'thesis.pdf', folder: '/Uni' }],
  })
  expect(await harness.page({ path: '/', find: 'caf' })).toMatchObject({
    entries: [{ name: oddText, folder: '/Uni/Notes' }],
  })
  const found = await harness.page({ path: '/', find: 'file', offset: 200 })
  expect(found).toMatchObject({ total: many, truncated: true })
  expect(found.entries.length).toBe(200)
})

test.each([
  [{ path: '/nowhere' }, 'bad_path'],
  [{ path: '/Uni/../..' }, 'bad_path'],
  [{ path: '/', password: 'not the password' }, 'wrong_password'],
])('refuses %j without a name in its words', async (query, failure) => {
  expect(await harness.look(query)).toEqual({
    outcome: 'failed',
    failure,
    text: 'The files of the snapshot were not listed.',
  })
})

test('asks for the password where it is not kept, and keeps one that opens the backup', async () => {
  await rm(join(harness.folder, 'backup/passwords.json'))
  expect(await harness.look({ path: '/Uni', find: 'never asked' })).toMatchObject({ failure: 'no_password' })
  expect(await harness.look({ path: '/Uni', find: 'never asked', password })).toMatchObject({ total: 0 })
  expect(await harness.look({ path: '/Uni', find: 'asked again' })).toMatchObject({ total: 0 })
})

test('chosen files come back in a new folder with their bytes, and no others', async () => {
  const paths = ['/Uni/thesis.pdf', `/Uni/${newline}`, `/Uni/${longest}`, `/Uni/Notes/${oddText}`]
  const done = await harness.restore(paths, { way: 'newFolder' })
  expect(done).toMatchObject({ outcome: 'done', files: 4 })
  const folder = join(harness.drive, done.outcome === 'done' ? (done.folder ?? '') : '')
  for (const name of ['thesis.pdf', newline, longest])
    expect(await readFile(join(folder, 'Uni', name))).toEqual(Buffer.from(lookFiles[name] ?? ''))
  expect(await readFile(placeOf(folder, ['Uni', 'Notes', odd]), 'utf8')).toBe('any bytes')
  expect(await readdir(join(folder, 'Uni'))).not.toContain('notes.txt')
})

test('chosen files come back where they were beside what is there now, a folder as a whole', async () => {
  const { drive } = harness
  await writeFile(join(drive, 'Uni/notes.txt'), 'newer')
  await rm(join(drive, 'Uni/thesis.pdf'))
  const done = await harness.restore(['/Uni/notes.txt', '/Uni/thesis.pdf', '/Uni/Notes'], { way: 'beside' })
  expect(done).toMatchObject({ outcome: 'done', files: 3, folder: null })
  expect(await readFile(join(drive, 'Uni/notes.txt'), 'utf8')).toBe('newer')
  expect(await readFile(join(drive, 'Uni/notes (2).txt'), 'utf8')).toBe(lookFiles['notes.txt'])
  expect(await readFile(join(drive, 'Uni/thesis.pdf'))).toEqual(lookFiles['thesis.pdf'])
  expect(await readFile(placeOf(drive, ['Uni', 'Notes (2)', odd]), 'utf8')).toBe('any bytes')
})

test('chosen files come back in another folder, each once, whatever it is called', async () => {
  const { drive } = harness
  const done = await harness.restore(['/Uni/thesis.pdf', '/Uni/Notes'], { way: 'beside' }, '/Uni/New/Notes')
  expect(done).toMatchObject({ outcome: 'done', files: 2, folder: null })
  expect(await readFile(join(drive, 'Uni/New/Notes/thesis.pdf'))).toEqual(lookFiles['thesis.pdf'])
  expect(await readFile(placeOf(drive, ['Uni', 'New', 'Notes', 'Notes', odd]), 'utf8')).toBe('any bytes')
  // The folder that is chosen gets its own copy.
  expect(await harness.restore(['/Uni/Notes'], { way: 'beside' }, '/Uni/Notes')).toMatchObject({ outcome: 'done' })
  expect(await readFile(placeOf(drive, ['Uni', 'Notes', 'Notes', odd]), 'utf8')).toBe('any bytes')
  const refused = { outcome: 'failed', failure: 'bad_path' }
  expect(await harness.restore(['/Uni/Notes'], { way: 'beside' }, '/Uni/thesis.pdf')).toMatchObject(refused)
  expect(await harness.restore(['/Uni/Notes'], { way: 'beside' }, '/Uni/../..')).toMatchObject(refused)
  expect(await harness.restore(['/Uni/Notes'], { way: 'replace', paths: ['/'] }, '/Uni')).toMatchObject(refused)
})

test('chosen files replace what is there, and nothing else', async () => {
  const { drive } = harness
  await writeFile(join(drive, 'Uni/notes.txt'), 'newer')
  await writeFile(join(drive, 'Uni/other.txt'), 'stays')
  const done = await harness.restore(['/Uni/notes.txt'], { way: 'replace', paths: ['/'] })
  expect(done).toMatchObject({ outcome: 'done', kept: { files: 1, isWhole: true } })
  expect(await readFile(join(drive, 'Uni/notes.txt'), 'utf8')).toBe(lookFiles['notes.txt'])
  expect(await readFile(join(drive, 'Uni/other.txt'), 'utf8')).toBe('stays')
})

test.each([
  ['one that is not there', ['/Uni/nowhere.txt'], 'newFolder', 'bad_path'],
  ['the whole snapshot', ['/'], 'newFolder', 'bad_path'],
  ['a path that leaves the drive', ['/../etc/secret'], 'newFolder', 'bad_path'],
  ['a name that is no UTF-8, where it was', [`/Uni/Notes/${oddText}`], 'beside', 'bad_path'],
])('refuses %s without a name in its words', async (_, paths, way, failure) => {
  const before = await readdir(harness.drive)
  expect(await harness.restore(paths, { way })).toEqual({
    outcome: 'failed',
    failure,
    text: 'Chosen files are not in the snapshot, or cannot be put where they were.',
  })
  expect(await readdir(harness.drive)).toEqual(before)
})
