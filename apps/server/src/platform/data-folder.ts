import { accessSync, constants, mkdirSync } from 'node:fs'
import { OperatorError } from './operator-error.ts'

const reasons: Readonly<Record<string, string>> = {
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
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const reason = reasons[code] ?? code
    throw new OperatorError(
      `The data folder ${folder} cannot be used: ${reason}. Choose another one with ATOLL_DATA_DIR.`,
      { cause: error },
    )
  }
}
