/** Task `backup.run`: paths of the drive become a snapshot. */
import type { BackupProgress, RunParams, RunResult } from '@atoll/contract/agents'
import type { z } from 'zod'
import { parseDrivePath } from '../drive/drive-path.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { renewManifest } from './manifest/kept-manifest.ts'
import { stampTree } from './manifest/tree-stamps.ts'
import { findEntry } from './repository/find-entry.ts'
import { createPace } from './repository/pace.ts'
import type { Repository } from './repository/repository.ts'
import { BackupProblem } from './repository/restic-failure.ts'
import { progressOf, readResticJson, readResticLine, SnapshotList, type Summary } from './repository/restic-output.ts'

/** Some files could not be read; the snapshot holds the others. */
const someUnread = 3

export interface RunContext {
  progress(value: BackupProgress): void
  signal: AbortSignal
  /** File of the hashes of this backup. */
  hashFile: string
  /** Told at the end which paths of the drive could not be read. */
  noteUnread(paths: readonly string[]): Promise<void>
}

export async function runBackup(
  repository: Repository,
  drive: string,
  { backupId, paths, exclude = [] }: Pick<z.output<typeof RunParams>, 'backupId' | 'paths' | 'exclude'>,
  { progress, signal, hashFile, noteUnread }: RunContext,
): Promise<RunResult> {
  const begunAt = performance.now()
  const all = await Promise.all(paths.map((path) => resolvePath(drive, path)))
  const there = all.flatMap((path) => path ?? [])
  if (there.length === 0) throw new BackupProblem('bad_path', 'None of the paths is in the drive.')
  const before = exclude.length === 0 ? await stampTree(drive, there) : null
  const unread = new Set<string>()
  let summary: Summary | undefined
  const pace = createPace()
  const take = (text: string) => {
    const line = readResticLine(text)
    if (line?.message_type === 'status') progress({ ...pace(progressOf(line)), unreadFiles: unread.size })
    else if (line?.message_type === 'error') unread.add(line.item)
    else if (line) summary = line
  }
  // Relative paths: in the snapshot nothing says where the drive lay. The host is the plan's, whatever machine it is.
  const options = ['--json', '--host', backupId, ...exclude.map((pattern) => `--exclude=${pattern}`)]
  const code = await repository.run(['backup', ...options, '--', ...there], {
    cwd: drive,
    allowed: [someUnread],
    onLine: take,
    onErrorLine: take,
  })
  if (!summary) throw new BackupProblem('failed', 'restic ended without a summary.')
  const missing = paths.filter((_, at) => all[at] === undefined)
  // restic names them from the root of the machine, 0.14 some from where it runs.
  const named = [...unread].map((item) => (item.startsWith(`${drive}/`) ? item.slice(drive.length) : item))
  await noteUnread([...missing, ...named])
  return {
    outcome: 'done',
    snapshotId: await fullId(repository, summary.snapshot_id),
    files: Math.trunc(summary.total_files_processed),
    bytes: Math.trunc(summary.total_bytes_processed),
    newBytes: Math.trunc(summary.data_added),
    durationMs: Math.round(performance.now() - begunAt),
    // Of what is left out only restic knows which files that is.
    manifest:
      before &&
      (await renewManifest({
        root: drive,
        places: there,
        before,
        signal,
        key: await repository.id(),
        file: hashFile,
      })),
    unreadFiles: missing.length + Math.max(unread.size, code === someUnread ? 1 : 0),
  }
}

/**
 * `path` from the drive's folder, as restic takes it; undefined when nothing is there. Throws when it leaves the drive.
 */
async function resolvePath(drive: string, path: string): Promise<string | undefined> {
  const names = readPath(path)
  if (names.length === 0) return '.'
  // Through a link it would lead out of the drive.
  const entry = await findEntry(drive, names)
  return entry && names.join('/')
}

/** The names in `path`; throws `BackupProblem`. */
export function readPath(path: string): string[] {
  try {
    return parseDrivePath(path)
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error
    throw new BackupProblem('bad_path', `${path}: ${error.message}`)
  }
}

/** Versions before 0.15 say the beginning of it. */
async function fullId(repository: Repository, id: string): Promise<string> {
  if (id.length === 64) return id
  const [snapshot] = readResticJson(await repository.read(['snapshots', '--json', id]), SnapshotList)
  if (!snapshot) throw new BackupProblem('failed', 'The new snapshot is not in the repository.')
  return snapshot.id
}
