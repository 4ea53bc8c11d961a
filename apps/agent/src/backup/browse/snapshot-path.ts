/** Paths in a snapshot, as restic names them: what a backup holds may have names that the drive itself refuses. */
import { HttpProblem } from '../../http/problem.ts'

/** As the system's own PATH_MAX, bytes of UTF-8. */
const maxPathBytes = 4096

/** The names in `path`, none for `/`. Nothing is composed anew: the bytes are those that were backed up. */
export function parseSnapshotPath(path: string): string[] {
  const names = path === '/' ? [] : path.split('/').slice(1)
  const isGood =
    path.startsWith('/') &&
    Buffer.byteLength(path) <= maxPathBytes &&
    path.isWellFormed() &&
    !path.includes('\0') &&
    names.every((name) => name !== '' && name !== '.' && name !== '..')
  if (!isGood) throw new HttpProblem(400, 'badName', 'This is no path of a backup.')
  return names
}

export function formatSnapshotPath(names: readonly string[]): string {
  return `/${names.join('/')}`
}

/** A pattern of restic that matches this path alone. */
export function patternOf(names: readonly string[]): string {
  return formatSnapshotPath(names).replace(/[\\*?[\]]/g, '\\$&')
}
