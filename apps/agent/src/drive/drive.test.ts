import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { until } from '@atoll/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HttpProblem } from '../http/problem.ts'
import { createTestFolder } from '../testing/seeded-home.ts'
import { type Drive, openDrive } from './drive.ts'
import { parseDrivePath } from './drive-path.ts'
import { createDriveSpace } from './drive-space.ts'

async function openTestDrive(folder: string, quotaBytes?: number): Promise<Drive> {
  await mkdir(join(folder, 'uploads'), { recursive: true })
  return await openDrive({ root: join(folder, 'drive'), uploads: join(folder, 'uploads'), quotaBytes })
}

function put(drive: Drive, path: string, text: string, options: { replace?: boolean; length?: number } = {}) {
  return drive.write(path, Readable.from([Buffer.from(text)]), {
    length: options.length ?? Buffer.byteLength(text),
    replace: options.replace ?? true,
  })
}

async function read(drive: Drive, path: string): Promise<string> {
  const file = await drive.open(path)
  const bytes = file.size > 0 ? await buffer(file.stream(0, file.size - 1)) : Buffer.alloc(0)
  await file.close()
  return bytes.toString()
}

/** `ok`, or the code of the refusal; anything else is a defect. */
async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (error instanceof HttpProblem) return error.code
    throw error
  }
}

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

/** Model: what a drive should hold after any sequence of changes, one after another or all at once. */
describe('names', () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`)
  const command = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), path, text: fc.string({ maxLength: 9 }) }),
    fc.record({ kind: fc.constant('folder' as const), path }),
    fc.record({ kind: fc.constant('move' as const), path, to: path }),
    fc.record({ kind: fc.constant('remove' as const), path }),
  )
  type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

  function runOnModel(model: Map<string, string | null>, one: Command): string {
    const parentOf = (of: string) => of.slice(0, of.lastIndexOf('/'))
    const isFolder = (of: string) => of === '' || model.get(of) === null
    const subtree = (of: string) => [...model.keys()].filter((key) => key === of || key.startsWith(`${of}/`))
    if (one.kind === 'put') {
      if (!isFolder(parentOf(one.path))) return 'notFound'
      if (model.get(one.path) === null) return 'notAFile'
      model.set(one.path, one.text)
    } else if (one.kind === 'folder') {
      if (!isFolder(parentOf(one.path))) return 'notFound'
      if (model.has(one.path)) return 'exists'
      model.set(one.path, null)
    } else if (one.kind === 'move') {
      if (!model.has(one.path)) return 'notFound'
      if (one.path === one.to) return 'ok'
      if (one.to.startsWith(`${one.path}/`)) return 'intoItself'
      if (!isFolder(parentOf(one.to))) return 'notFound'
      if (model.has(one.to)) return 'exists'
      for (const key of subtree(one.path)) {
        model.set(one.to + key.slice(one.path.length), model.get(key) ?? null)
        model.delete(key)
      }
    } else {
      if (!model.has(one.path)) return 'notFound'
      for (const key of subtree(one.path)) model.delete(key)
    }
    return 'ok'
  }

  function runOnDrive(drive: Drive, one: Command): Promise<string> {
    if (one.kind === 'put') return outcome(put(drive, one.path, one.text))
    if (one.kind === 'folder') return outcome(drive.makeFolder(one.path))
    if (one.kind === 'move') return outcome(drive.move(one.path, one.to))
    return outcome(drive.remove(one.path))
  }

  async function listAll(drive: Drive, at = ''): Promise<[string, string | null][]> {
    const { entries } = await drive.list(at || '/')
    const parts = await Promise.all(
      entries.map(async (entry): Promise<[string, string | null][]> => {
        const here = `${at}/${entry.name}`
        return entry.kind === 'file'
          ? [[here, await read(drive, here)]]
          : [[here, null], ...(await listAll(drive, here))]
      }),
    )
    return parts.flat()
  }

  test('change as a plain model of folders says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
        await using folder = await createTestFolder()
        const drive = await openTestDrive(folder.path)
        const model = new Map<string, string | null>()
        for (const one of commands) expect(await runOnDrive(drive, one)).toBe(runOnModel(model, one))
        expect(new Map(await listAll(drive))).toEqual(model)
        const bytes = [...model.values()].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
        expect(await drive.space.usedBytes()).toBe(bytes)
        expect(await (await openTestDrive(folder.path)).space.usedBytes()).toBe(bytes)
      }),
      { numRuns: 60 },
    )
  })

  test('changed all at once leave no half and no lost count', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
        await using folder = await createTestFolder()
        const drive = await openTestDrive(folder.path)
        await Promise.all(commands.map((one) => runOnDrive(drive, one)))
        const bytes = (await listAll(drive)).reduce((sum, [, text]) => sum + Buffer.byteLength(text ?? ''), 0)
        expect(await drive.space.usedBytes()).toBe(bytes)
        expect(await readdir(join(folder.path, 'uploads'))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('lists folders first, numbers in their order', async () => {
    await using folder = await createTestFolder()
    const drive = await openTestDrive(folder.path)
    for (const path of ['/10', '/9', '/B', '/a']) await put(drive, path, '')
    await drive.makeFolder('/z')
    expect((await drive.list('/')).entries.map((entry) => entry.name)).toEqual(['z', '9', '10', 'a', 'B'])
    await rename(join(folder.path, 'drive', '9'), join(folder.path, 'drive', '8'))
    expect((await drive.list('/')).entries.map((entry) => entry.name)).toContain('8')
  })
})

test('no move takes what lies in a folder out of reach', async () => {
  await using folder = await createTestFolder()
  const drive = await openTestDrive(folder.path)
  const chain = async (letter: string, count: number) => {
    const paths = Array.from({ length: count }, (_, at) => `/${letter.repeat(250)}`.repeat(at + 1))
    for (const path of paths) await drive.makeFolder(path)
    return { top: paths[0] ?? '', end: paths.at(-1) ?? '' }
  }
  const [a, b] = [await chain('a', 11), await chain('b', 10)]
  expect(await outcome(drive.move(a.top, `${b.end}/x`))).toBe('badName')
  await put(drive, `${a.end}/leaf`, 'here')
  expect(await outcome(drive.move(a.top, '/b'))).toBe('ok')
  expect(await outcome(drive.move('/b', `${b.end}/x`))).toBe('badName')

  // The next start measures and removes what is there.
  const next = await openTestDrive(folder.path)
  expect(await next.list('/')).toMatchObject({ usedBytes: 4 })
  for (const path of ['/b', b.top]) await next.remove(path)
  expect(await next.list('/')).toMatchObject({ entries: [], usedBytes: 0 })
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
