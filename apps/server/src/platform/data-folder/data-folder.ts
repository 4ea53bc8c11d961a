import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../operator-error.ts'

const reasons: Readonly<Record<string, string>> = {
  // Of /proc and its like: a name that is not there cannot be made.
  ENOENT: 'nothing can be made there',
  EEXIST: 'it is a file',
  ENOTDIR: 'it, or something on the way to it, is a file',
  EROFS: 'it is on a read-only file system',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOSPC: 'the disk is full',
}

/** Makes the data folder unless it is there. Throws an `OperatorError` when nothing can be kept in it. */
export function ensureDataFolder(folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    // Only a try shows it: root may write everywhere, and cannot in /proc.
    rmdirSync(mkdtempSync(join(folder, '.try-')))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const reason = reasons[code] ?? code
    throw new OperatorError(
      `The data folder ${folder} cannot be used: ${reason}. Choose another one with ATOLL_DATA_DIR.`,
      { cause: error },
    )
  }
}

/**
 * Not `recursive`: Node then tries for ever where a folder cannot be made although its parent is there, as in /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('a file'), { code: 'EEXIST' })
    return
  }
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process of this deployment created it first.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(folder))) throw error
  }
}
