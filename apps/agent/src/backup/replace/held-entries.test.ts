/** The entries that a replace may remove, because a snapshot holds them as they are. */
import { type BigIntStats, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isHeld, listHeld } from './held-entries.ts'

const folder = mkdtempSync(join(tmpdir(), 'atoll-held-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'file'), 'Low tide')
mkdirSync(join(folder, 'dir'))
symlinkSync('file', join(folder, 'symlink'))

const statsOf = (name: string) => lstatSync(join(folder, name), { bigint: true })
const second = 1_000_000_000n
const timeOf = (ns: bigint) =>
  `${new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19)}.${String(ns % second).padStart(9, '0')}Z`

/** Whether a snapshot, begun so many ns after the last change of `stats`, holds an entry that is `now` as it was. */
async function holds(type: string, stats: BigIntStats, afterNs: bigint, now = { path: type, stats }): Promise<boolean> {
  const { size, mtimeNs, ctimeNs } = stats
  const node = { type, path: `/${type}`, size: Number(size), mtime: timeOf(mtimeNs), ctime: timeOf(ctimeNs) }
  const lines = [
    { struct_type: 'snapshot', time: timeOf(ctimeNs + afterNs) },
    { struct_type: 'node', ...node },
  ]
  const repository = {
    async run(_: readonly string[], { onLine }: { onLine?: (line: string) => void } = {}) {
      for (const line of lines) onLine?.(JSON.stringify(line))
      return 0
    },
  }
  return isHeld(await listHeld(repository, 'newest'), now.path, now.stats)
}

test.each(['file', 'symlink'])(
  'a %s is held that was last changed before the snapshot began, not in its moment',
  async (type) => {
    const wholeNs = (statsOf(type).ctimeNs / second) * second
    const stats = Object.assign(statsOf(type), { ctimeNs: wholeNs + 123_456_789n })
    expect(await holds(type, stats, 200_000_000n)).toBe(true)
    expect(await holds(type, stats, 50_000_000n)).toBe(false)
    expect(await holds(type, stats, -second)).toBe(false)
    // Some file systems keep whole seconds.
    const coarse = Object.assign(statsOf(type), { ctimeNs: wholeNs })
    expect([await holds(type, coarse, second), await holds(type, coarse, 3n * second)]).toEqual([false, true])
  },
)

test('a folder is held whenever it changed', async () => {
  expect(await holds('dir', statsOf('dir'), -second)).toBe(true)
})

test('what was changed since, or lies elsewhere, is not held', async () => {
  const stats = statsOf('file')
  const changes = [{ size: stats.size + 1n }, { mtimeNs: stats.mtimeNs + 1n }, { ctimeNs: stats.ctimeNs + 1n }]
  for (const change of changes)
    expect(await holds('file', stats, second, { path: 'file', stats: Object.assign(statsOf('file'), change) })).toBe(
      false,
    )
  expect(await holds('file', stats, second, { path: 'other', stats })).toBe(false)
  expect(await holds('file', stats, second, { path: 'file', stats: statsOf('symlink') })).toBe(false)
})
