/**
 * A snapshot's entries of a tree, as the tree was at that moment: from them a replace tells which files may be removed
 * and which nobody kept. They are read from the snapshot itself, so a file that could not be read, or that was written
 * since, is not among them, whatever else is believed of that run.
 */
import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { hasErrorCode, writeFileAtomic } from '../../kernel/atomic-file.ts'
import type { Repository } from '../repository/repository.ts'
import { parseJson } from '../repository/restic-output.ts'

/** Hashes of path, kind and times: a file of a million entries takes 16 MB. */
export type HeldEntries = ReadonlySet<string>

/** Of SHA-256, which is as sure as anybody needs who forges no files against themselves. bytes */
const hashBytes = 16
/**
 * A file that was changed again while its time did not move on yet has the stamp that restic read. The kernel's clock
 * ticks each 1 to 10 ms; a file system that keeps whole seconds shows it by its zeros, FAT keeps every other. ns
 */
const tickNs = { fine: 100_000_000n, coarse: 2_000_000_000n }

const SnapshotLine = z.object({ struct_type: z.literal('snapshot'), time: z.string() })
const NodeLine = z.object({
  struct_type: z.literal('node'),
  type: z.string(),
  path: z.string(),
  size: z.number().nonnegative().catch(0),
  mtime: z.string(),
  ctime: z.string(),
})
const Line = z.discriminatedUnion('struct_type', [SnapshotLine, NodeLine])

/** Throws `BackupProblem` as restic fails; a snapshot that is not there holds nothing. */
export async function listHeld(repository: Pick<Repository, 'run'>, snapshotId: string): Promise<HeldEntries> {
  const held = new Set<string>()
  let begunAt: bigint | undefined
  await repository.run(['ls', '--json', snapshotId], {
    onLine(text) {
      const { data: line } = Line.safeParse(parseJson(text))
      if (line?.struct_type === 'snapshot') begunAt = parseTime(line.time)
      if (line?.struct_type !== 'node' || begunAt === undefined) return
      const kind = kinds[line.type]
      const [changed, modified] = [parseTime(line.ctime), parseTime(line.mtime)]
      if (kind === undefined || changed === undefined || modified === undefined) return
      const tick = changed % 1_000_000_000n === 0n ? tickNs.coarse : tickNs.fine
      if (kind !== 'folder' && changed > begunAt - tick) return
      const path = Buffer.from(line.path.slice(1)).toString('latin1')
      held.add(hashOf({ path, kind, changed, modified, size: BigInt(line.size) }))
    },
  })
  return held
}

const kinds: Readonly<Record<string, 'file' | 'folder' | 'link'>> = { file: 'file', dir: 'folder', symlink: 'link' }

/** `path`: from the root of what was backed up, its bytes as latin1. */
export function isHeld(held: HeldEntries, path: string, stats: BigIntStats): boolean {
  const hash = entryHash(path, stats)
  return hash !== undefined && held.has(hash)
}

/** As `HeldEntries` has it; undefined for what is neither file, folder nor link. */
export function entryHash(path: string, stats: BigIntStats): string | undefined {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : undefined
  if (kind === undefined) return undefined
  return hashOf({ path, kind, changed: stats.ctimeNs, modified: stats.mtimeNs, size: stats.size })
}

interface Facts {
  path: string
  kind: 'file' | 'folder' | 'link'
  changed: bigint
  modified: bigint
  size: bigint
}

/** A folder is the same whatever is in it: its entries are asked for each. */
function hashOf({ path, kind, changed, modified, size }: Facts): string {
  const stamp = kind === 'folder' ? '' : `${changed}:${modified}:${kind === 'file' ? size : ''}`
  const hash = createHash('sha256').update(`${kind}\0${stamp}\0`).update(path, 'latin1').digest()
  return hash.subarray(0, hashBytes).toString('latin1')
}

/** Nanoseconds since 1970; undefined for no time. Times in JSON of restic have up to nine digits after the second. */
function parseTime(text: string): bigint | undefined {
  const [, second, fraction = '', zone] = /^([^.]+?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  const ms = Date.parse(`${second}${zone}`)
  return Number.isFinite(ms) ? BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0')) : undefined
}

export async function writeHeld(file: string, held: HeldEntries): Promise<void> {
  await writeFileAtomic(file, Array.from(held, (hash) => Buffer.from(hash, 'latin1').toString('base64')).join('\n'))
}

/** Undefined where none was written. */
export async function readHeld(file: string): Promise<HeldEntries | undefined> {
  try {
    const text = await readFile(file, 'latin1')
    return new Set(text.split('\n').map((line) => Buffer.from(line, 'base64').toString('latin1')))
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    return undefined
  }
}
