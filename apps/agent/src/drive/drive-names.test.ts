/** Names: what a drive holds after any sequence of changes, one after another or all at once. */
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createTestFolder } from '../testing/seeded-home.ts'
import { openTestDrive, outcome, put, read } from '../testing/test-drive.ts'
import type { Drive } from './drive.ts'

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

test.each(['move', 'copy'] as const)('a %s that fails at its end leaves what it would have replaced', async (way) => {
  await using folder = await createTestFolder()
  const drive = await openTestDrive(folder.path)
  await put(drive, '/from', 'new')
  await drive.makeFolder('/to')
  await put(drive, '/to/kept', 'old')
  // Both ask for it last before they take the place.
  vi.spyOn(drive.space, 'usedBytes').mockImplementationOnce(async () => {
    await rm(join(folder.path, 'drive', 'from'))
    for (const name of await readdir(join(folder.path, 'uploads'))) await rm(join(folder.path, 'uploads', name))
    return 6
  })
  await expect(drive[way]('/from', '/to', { replace: true })).rejects.toThrow('ENOENT')
  expect(await read(drive, '/to/kept')).toBe('old')
  expect(await readdir(join(folder.path, 'uploads'))).toEqual([])
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
