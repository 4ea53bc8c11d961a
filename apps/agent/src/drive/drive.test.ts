/** Paths, files and the room that is left for them. */
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { until } from '@atoll/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HttpProblem } from '../kernel/problem.ts'
import { createTestFolder } from '../testing/seeded-home.ts'
import { openTestDrive, outcome, put, read } from '../testing/test-drive.ts'
import { openDrive } from './drive.ts'
import { parseDrivePath } from './drive-path.ts'
import { createDriveSpace } from './drive-space.ts'

/** Paths as attackers and accidents write them. */
const wildPath = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '..',
        '.',
        '',
        'a',
        'b',
        'a\\b',
        'a\0b',
        '%2e%2e',
        '..%2f',
        '\u2024.',
        'é',
        'e\u0301',
        '\ud800',
        'x'.repeat(256),
      ),
      { maxLength: 8 },
    )
    .map((names) => `/${names.join('/')}`),
)

describe('a path', () => {
  test('that is accepted names something inside, in one way only', () => {
    fc.assert(
      fc.property(wildPath, (path) => {
        let names: string[]
        try {
          names = parseDrivePath(path)
        } catch (error) {
          expect(error).toBeInstanceOf(HttpProblem)
          return
        }
        for (const name of names) {
          expect(['', '.', '..']).not.toContain(name)
          expect(name).not.toMatch(/[/\\\p{Cc}]/u)
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
        }
        expect(parseDrivePath(`/${names.join('/')}`)).toEqual(names)
        expect(join('/root', ...names).startsWith('/root')).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('whatever it is, touches nothing outside the drive', async () => {
    await using folder = await createTestFolder()
    const drive = await openTestDrive(folder.path)
    await writeFile(join(folder.path, 'secret'), 'untouched')
    await fc.assert(
      fc.asyncProperty(wildPath, wildPath, async (path, other) => {
        await outcome(put(drive, path, 'x'))
        await outcome(drive.makeFolder(path))
        await outcome(drive.move(path, other))
        await outcome(drive.list(path))
        await outcome(read(drive, path))
        await outcome(drive.remove(other))
        expect((await readdir(folder.path)).sort()).toEqual(['drive', 'secret', 'uploads'])
        expect(await readFile(join(folder.path, 'secret'), 'utf8')).toBe('untouched')
        expect(await readdir(join(folder.path, 'uploads'))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('through a link leads nowhere', async () => {
    await using folder = await createTestFolder()
    const drive = await openTestDrive(folder.path)
    await writeFile(join(folder.path, 'secret'), 'untouched')
    await symlink(folder.path, join(folder.path, 'drive', 'out'))
    await symlink(join(folder.path, 'secret'), join(folder.path, 'drive', 'file'))
    expect((await drive.list('/')).entries).toEqual([])
    expect(await outcome(read(drive, '/out/secret'))).toBe('notFound')
    expect(await outcome(read(drive, '/file'))).toBe('notFound')
    expect(await outcome(put(drive, '/out/secret', 'x'))).toBe('notFound')
    expect(await outcome(drive.list('/out'))).toBe('notFound')
    expect(await readFile(join(folder.path, 'secret'), 'utf8')).toBe('untouched')
  })
})

describe('a file', () => {
  test('is replaced whole or not at all', async () => {
    await using folder = await createTestFolder()
    const drive = await openTestDrive(folder.path)
    expect((await put(drive, '/a', 'first')).isNew).toBe(true)
    const breaking = Readable.from(
      (async function* () {
        yield Buffer.from('sec')
        throw new Error('the visitor went away')
      })(),
    )
    await expect(drive.write('/a', breaking, { length: 6, replace: true })).rejects.toThrow('went away')
    expect(await read(drive, '/a')).toBe('first')
    expect(await readdir(join(folder.path, 'uploads'))).toEqual([])
    expect(await outcome(put(drive, '/a', 'second', { replace: false }))).toBe('exists')
    expect((await put(drive, '/a', 'second')).isNew).toBe(false)
    expect(await read(drive, '/a')).toBe('second')
  })

  test('changes its tag with its content', async () => {
    await using folder = await createTestFolder()
    const drive = await openTestDrive(folder.path)
    const tag = async () => {
      const file = await drive.open('/a')
      await file.close()
      return file.etag
    }
    await put(drive, '/a', 'one')
    const before = await tag()
    expect(await tag()).toBe(before)
    await put(drive, '/a', 'two')
    expect(await tag()).not.toBe(before)
  })

  test('that is new is refused while the plan has no room; what is there can be replaced, read and removed', async () => {
    await using folder = await createTestFolder()
    const space = { root: join(folder.path, 'drive'), uploads: join(folder.path, 'uploads') }
    await mkdir(space.uploads)
    let isStopped = false
    const drive = await openDrive({ ...space, isStopped: () => isStopped })
    await put(drive, '/a', 'one')
    isStopped = true
    expect(await outcome(put(drive, '/b', 'new'))).toBe('storageLimit')
    await drive.makeFolder('/folder')
    expect(await outcome(drive.copy('/a', '/folder', { replace: true }))).toBe('storageLimit')
    await drive.remove('/folder')
    await put(drive, '/a', 'two')
    await drive.remove('/a')
    isStopped = false
    await put(drive, '/b', 'new')
    expect(await drive.list('/')).toMatchObject({ entries: [{ name: 'b' }] })
  })

  test('that cannot fit is refused before it is read; one that lies about it while it is', async () => {
    await using folder = await createTestFolder()
    const drive = await openTestDrive(folder.path, 1000)
    const unread = new Readable({
      read() {
        throw new Error('was read')
      },
    })
    expect(await outcome(drive.write('/a', unread, { length: 1001, replace: true }))).toBe('diskFull')
    const endless = Readable.from(
      (async function* () {
        for (;;) yield Buffer.alloc(300)
      })(),
    )
    expect(await outcome(drive.write('/a', endless, { length: undefined, replace: true }))).toBe('diskFull')
    await put(drive, '/a', 'x'.repeat(600))
    expect(await outcome(put(drive, '/b', 'x'.repeat(600)))).toBe('diskFull')
    expect(await drive.list('/')).toMatchObject({ usedBytes: 600, freeBytes: 400 })
    await drive.remove('/a')
    await put(drive, '/b', 'x'.repeat(600))
    expect(await drive.list('/')).toMatchObject({ usedBytes: 600, freeBytes: 400 })
  })

  test('of two that come at once, only what fits together is accepted', async () => {
    await using folder = await createTestFolder()
    const drive = await openTestDrive(folder.path, 1000)
    await drive.space.usedBytes()
    const outcomes = await Promise.all(['/a', '/b', '/c'].map((path) => outcome(put(drive, path, 'x'.repeat(600)))))
    expect(outcomes.filter((one) => one === 'ok')).toHaveLength(1)
  })
})

test('an upload that is nearly through leaves no room for one that would not fit beside it', async () => {
  await using folder = await createTestFolder()
  const drive = await openTestDrive(folder.path, 1000)
  const last = Promise.withResolvers<void>()
  const slow = Readable.from(
    (async function* () {
      yield Buffer.alloc(599)
      await last.promise
      yield Buffer.alloc(1)
    })(),
  )
  const first = drive.write('/a', slow, { length: undefined, replace: true })
  await until('599 bytes taken', async () => (await drive.space.freeBytes()) === 401, { intervalMs: 1 })
  expect(await outcome(put(drive, '/b', 'x'.repeat(600)))).toBe('diskFull')
  last.resolve()
  await first
  expect(await outcome(put(drive, '/b', 'x'.repeat(400)))).toBe('ok')
  expect(await drive.list('/')).toMatchObject({ usedBytes: 1000, freeBytes: 0 })
})

test('a drive that could not be measured is measured again', async () => {
  await using folder = await createTestFolder()
  const disk = join(folder.path, 'disk')
  await writeFile(disk, 'not a folder yet')
  const space = createDriveSpace(join(disk, 'drive'), undefined)
  await expect(space.usedBytes()).rejects.toThrow('ENOTDIR')
  await rename(disk, join(folder.path, 'away'))
  await mkdir(join(disk, 'drive'), { recursive: true })
  await writeFile(join(disk, 'drive', 'a'), '1234')
  expect(await space.usedBytes()).toBe(4)
})
