/** Paths in a snapshot: what a backup holds may have names that the drive itself refuses, of any bytes. */
import { HttpProblem } from '../../kernel/problem.ts'
import { bytesOfText } from '../repository/byte-names.ts'

/** Which snapshot of which backup. */
export interface SnapshotRef {
  backupId: string
  snapshotId: string
}

/** As the system's own PATH_MAX, bytes. */
const maxPathBytes = 4096

/**
 * The names in `path`, as `byte-names.ts` writes them, none for `/`. Names are not normalised: the bytes are those that
 * were backed up.
 */
export function parseSnapshotPath(path: string): string[] {
  const names = path === '/' ? [] : path.split('/').slice(1)
  const isGood =
    path.startsWith('/') &&
    bytesOfText(path).length <= maxPathBytes &&
    path.isWellFormed() &&
    !path.includes('\0') &&
    names.every((name) => name !== '' && name !== '.' && name !== '..')
  if (!isGood) throw new HttpProblem(400, 'badName', 'This is no path of a backup.')
  return names
}

export function formatSnapshotPath(names: readonly string[]): string {
  return `/${names.join('/')}`
}

/** The path as restic takes it. */
export function bytesOfPath(names: readonly string[]): Buffer {
  return bytesOfText(formatSnapshotPath(names))
}

/** A pattern of restic that matches this path alone. */
export function patternOf(names: readonly string[]): Buffer {
  return bytesOfText(formatSnapshotPath(names).replace(/[\\*?[\]]/g, '\\$&'))
}
