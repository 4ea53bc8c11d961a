/** Entries of a snapshot that somebody chose to restore. Their names came encrypted, and no failure may tell them. */
import { mkdir, rename } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { RestoreChoice } from '@atoll/contract/backups'
import { isWithin, parseDrivePath } from '../drive/drive-path.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { readLsLine } from './browse/ls-output.ts'
import { formatSnapshotPath, parseSnapshotPath, patternOf } from './browse/snapshot-path.ts'
import type { ExchangeFolders } from './exchange.ts'
import { lossyOf } from './repository/byte-names.ts'
import { findEntry } from './repository/find-entry.ts'
import type { Repository } from './repository/repository.ts'
import { BackupProblem } from './repository/restic-failure.ts'
import { parseJson } from './repository/restic-output.ts'

export interface ChosenFiles {
  /** Names of each, none within another. */
  all: string[][]
  /** The folder of the drive that gets them; undefined: each its own place. */
  into: string[] | undefined
}

/** Parses a decrypted `RestoreChoice`; throws `BackupProblem`. */
export function readChoice(text: string): ChosenFiles {
  const { data } = RestoreChoice.safeParse(parseJson(text))
  if (!data) throw new BackupProblem('bad_path', 'This is no choice of files.')
  const all = outermost(data.paths.map(parseSnapshotPath))
  if (all.some((names) => names.length === 0)) throw new BackupProblem('bad_path', 'The whole snapshot is no choice.')
  return { all, into: data.into === undefined ? undefined : parseDrivePath(data.into) }
}

/** Without those that lie within another, and each once. */
export function outermost(all: string[][]): string[][] {
  return all.filter(
    (inner, at) =>
      !all.some((outer, of) => of !== at && isWithin(inner, outer) && (of < at || inner.length > outer.length)),
  )
}

export function includeOf(names: readonly string[]): Buffer {
  return Buffer.concat([Buffer.from('--include='), patternOf(names)])
}

/** Bytes of all files; throws `bad_path` when the snapshot has none of the entries. */
export async function sizeOfChosen(
  repository: Repository,
  snapshotId: string,
  chosen: readonly string[][],
): Promise<number> {
  const paths = new Set(chosen.map((names) => lossyOf(formatSnapshotPath(names))))
  let bytes = 0
  let isThere = false
  await repository.run(['ls', '--json', '--recursive', snapshotId], {
    onLine(text) {
      const said = readLsLine(text)
      if (said?.line !== 'entry') return
      for (let path = said.path; path !== ''; path = path.slice(0, path.lastIndexOf('/')))
        if (paths.has(path)) {
          isThere = true
          bytes += said.entry.size
          return
        }
    },
  })
  if (!isThere) throw new BackupProblem('bad_path', 'The snapshot holds none of them.')
  return bytes
}

/**
 * Gives each entry of the new tree a name that is free in the drive, `a (2).txt` where something is in its place, and
 * says all names. Nobody else changes the drive meanwhile; killed in between, the new tree is rubbish.
 */
export async function moveBeside(
  { drive, restored }: ExchangeFolders,
  places: readonly string[][],
  into: readonly string[] | undefined,
): Promise<string[][]> {
  const fresh = join(restored, 'new')
  // Renamed first: a restored file may have the same name as the target folder.
  const came = into ? join(restored, 'came') : fresh
  if (into) await rename(fresh, came)
  const moved: string[][] = []
  for (const names of places) {
    const wanted = into ? [...into, ...names.slice(-1)] : names
    const roots = into ? [drive, fresh] : [drive]
    const taken = await Promise.all(roots.map((root) => findEntry(root, wanted)))
    const free = taken.some((entry) => entry) ? await freeBeside([drive, fresh], wanted) : wanted
    await mkdir(join(fresh, ...free.slice(0, -1)), { recursive: true, mode: 0o700 })
    if (into || free !== names) await rename(join(came, ...names), join(fresh, ...free))
    moved.push([...free])
  }
  return moved
}

/** The name with the first number that is free in both. */
async function freeBeside(roots: readonly string[], names: readonly string[]): Promise<string[]> {
  const [folder, name] = [names.slice(0, -1), names.at(-1) ?? '']
  const extension = extname(name)
  for (let number = 2; ; number += 1) {
    const end = ` (${number})${extension}`
    const stem = Array.from(name.slice(0, name.length - extension.length))
    while (Buffer.byteLength(stem.join('') + end) > mostNameBytes && stem.length > 0) stem.pop()
    const free = [...folder, stem.join('') + end]
    const taken = await Promise.all(roots.map((root) => findEntry(root, free)))
    if (taken.every((entry) => entry === undefined)) return free
  }
}

/** As Linux's NAME_MAX. */
const mostNameBytes = 255

/** The same failure without names of files: the words of restic and the system do not leave this machine. */
export function withoutNames(error: unknown): BackupProblem {
  const failure =
    error instanceof BackupProblem ? error.failure : error instanceof HttpProblem ? 'bad_path' : ('failed' as const)
  const text =
    failure === 'bad_path'
      ? 'Chosen files are not in the snapshot, or cannot be put where they were.'
      : `The chosen files were not restored (${failure}).`
  return new BackupProblem(failure, text)
}
