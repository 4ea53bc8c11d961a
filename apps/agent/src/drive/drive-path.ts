/** Paths of the drive as visitors write them: absolute, `/` between names. Nothing else reaches the file system. */
import { HttpProblem } from '../kernel/problem.ts'

/** The longest name that ext4, xfs and btrfs allow, bytes of UTF-8. */
const maxNameBytes = 255
/** Leaves room below PATH_MAX (4096) for the folder the drive lies in. */
const maxPathBytes = 3000
const maxDepth = 64

/**
 * The names in `path`; none for `/`. Composed to NFC, so that a name typed on a Mac and on Windows is one file. Throws
 * 400 badName for what cannot be a path here: relative, `.` or `..`, an empty or too long name, control characters,
 * a backslash (a separator to Windows clients), half a surrogate pair.
 */
export function parseDrivePath(path: string): string[] {
  if (!path.startsWith('/')) throw badName('A path starts with /.')
  const normal = path.normalize('NFC')
  if (!normal.isWellFormed()) throw badName('The path is not well-formed text.')
  checkLength(normal)
  const names = normal.slice(1).split('/')
  if (names.at(-1) === '') names.pop()
  checkDepth(names)
  for (const name of names) checkName(name)
  return names
}

/** Like `parseDrivePath`, for what the drive itself (`/`) cannot be. */
export function parseFilePath(path: string): string[] {
  const names = parseDrivePath(path)
  if (names.length === 0) throw badName('This is the drive itself.')
  return names
}

/** Throws 400 badName when `names` lie too deep, or under too long a path, to be asked for. */
export function checkReach(names: readonly string[]): void {
  checkLength(formatDrivePath(names))
  checkDepth(names)
}

function checkLength(path: string): void {
  if (Buffer.byteLength(path) > maxPathBytes) throw badName(`A path has at most ${maxPathBytes} bytes.`)
}

function checkDepth(names: readonly string[]): void {
  if (names.length > maxDepth) throw badName(`Folders lie at most ${maxDepth} deep.`)
}

function checkName(name: string): void {
  if (name === '') throw badName('A name is empty.')
  if (name === '.' || name === '..') throw badName('“.” and “..” are not names.')
  if (/[\p{Cc}\\]/u.test(name)) throw badName('A name has no control characters and no backslash.')
  if (Buffer.byteLength(name) > maxNameBytes) throw badName(`A name has at most ${maxNameBytes} bytes.`)
}

function badName(message: string): HttpProblem {
  return new HttpProblem(400, 'badName', message)
}

/** `/a/b` of `['a', 'b']`. */
export function formatDrivePath(names: readonly string[]): string {
  return `/${names.join('/')}`
}

/** Whether `inner` is `outer` or lies below it. */
export function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return outer.every((name, at) => inner[at] === name)
}
