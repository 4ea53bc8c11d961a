import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Repository } from '../repository/repository.ts'
import { createLooks, type LookAsked } from './look.ts'
import { runLook } from './look-task.ts'
import type { SnapshotEntry } from './ls-output.ts'

const ref = { backupId: 'bk_aaaaaaaa', snapshotId: 'a'.repeat(64) }
const folder: SnapshotEntry = { name: 'Uni', kind: 'folder', size: 0, modifiedAt: 0 }
const line = (path: string) =>
  JSON.stringify({ struct_type: 'node', name: path.split('/').at(-1), type: 'file', path, size: 7 })

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A restic that lists `paths`, and then goes on until it is stopped, or ends. */
function looksAt(paths: readonly string[], isEndless: boolean) {
  let walks = 0
  const run: Repository['run'] = async (_, { stop, onLine } = {}) => {
    walks += 1
    for (const path of paths) onLine?.(line(path))
    stop?.throwIfAborted()
    if (isEndless) await new Promise((_, reject) => stop?.addEventListener('abort', () => reject(stop.reason)))
    return 0
  }
  const looks = createLooks({
    readFolder: async () => ({ entries: [folder], truncated: false }),
    // Nothing else of a repository is used.
    withRepository: async (_, act) => await act({ run } as unknown as Repository),
    inTurn: async (act) => await act(),
  })
  return {
    look: (asked: Partial<LookAsked>) => looks.look(ref, { path: '/', find: '', offset: 0, ...asked }),
    isAtMost: (most: number) => looks.isAtMost(ref, ['Uni'], most),
    walks: () => walks,
  }
}

test('names are shown where the sizes of folders take too long, and these are tried again a minute later', async () => {
  const { look, walks } = looksAt(['/Uni/a'], true)
  const first = look({})
  await vi.advanceTimersByTimeAsync(5000)
  expect(await first).toMatchObject({ entries: [{ name: 'Uni', size: null, files: null }], total: 1 })
  expect((await look({})).entries[0]?.size).toBeNull()
  expect(walks()).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  const later = look({})
  await vi.advanceTimersByTimeAsync(5000)
  await later
  expect(walks()).toBe(2)
})

test('a search that takes too long shows what it found, and says that there may be more', async () => {
  const { look } = looksAt(['/Uni/a', '/Uni/b'], true)
  const found = look({ find: 'a' })
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await found).toMatchObject({ entries: [{ name: 'a', folder: '/Uni' }], total: 1, truncated: true })
})

test('more than a thousand are found, of which a thousand are shown by the page', async () => {
  const { look, walks } = looksAt(
    Array.from({ length: 1200 }, (_, at) => `/Uni/file ${at}`),
    false,
  )
  const names = new Set<string>()
  for (let offset = 0; offset < 1000; offset += 200) {
    const { entries, total, truncated } = await look({ find: 'file', offset })
    expect({ total, truncated }).toEqual({ total: 1200, truncated: true })
    for (const { name } of entries) names.add(name)
  }
  expect(names.size).toBe(1000)
  expect(walks()).toBe(1)
  expect((await look({ find: 'file', offset: 1000 })).entries).toEqual([])
})

test('a failure of the machine says no name, and its own log alone has its words', async () => {
  const logged: unknown[] = []
  const error = new Error('ENOENT: /home/drive/Uni/secret.txt')
  const files = { look: () => Promise.reject(error), unlock: async () => undefined }
  const key = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) }
  const keys = { open: async () => JSON.stringify({ path: '/Uni', find: '', offset: 0, key }) }
  const signal = new AbortController().signal
  const params = { backupId: ref.backupId, snapshotId: ref.snapshotId, box: 'e30..AAAA.AAAA.AAAA' }
  expect(await runLook({ keys, files, signal, onDefect: (one) => logged.push(one) }, params)).toEqual({
    outcome: 'failed',
    failure: 'failed',
    text: 'The files of the snapshot were not listed.',
  })
  expect(logged).toEqual([error])
})

test('a folder is measured no further than it may be large, and one that takes too long is not known to be small', async () => {
  const { isAtMost } = looksAt(['/Uni/a', '/Uni/b'], false)
  expect([await isAtMost(14), await isAtMost(13)]).toEqual([true, false])
  const endless = looksAt(['/Uni/a', '/Uni/b'], true)
  // Stopped by what was listed, before any time passed.
  expect(await endless.isAtMost(13)).toBe(false)
  const late = endless.isAtMost(14)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await late).toBe(false)
})
