import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDataFolder } from './data-folder.ts'
import { OperatorError } from './operator-error.ts'

/**
 * The deployment's secret key: what the operator set, or a random one kept in `<dataDir>/secret.key`, readable by its
 * owner alone. Processes that start together end up with the same file. Throws an `OperatorError` for a file that is
 * damaged or that others may read.
 */
export function loadSecretKey(options: { secretKey: string | undefined; dataDir: string }): Uint8Array {
  if (options.secretKey !== undefined) return Buffer.from(options.secretKey, 'utf8')
  const file = join(options.dataDir, 'secret.key')
  return readKey(file) ?? makeKey(options.dataDir, file)
}

/** The same, made by nobody: throws an `OperatorError` when there is none. */
export function requireSecretKey(options: { secretKey: string | undefined; dataDir: string }): Uint8Array {
  if (options.secretKey !== undefined) return Buffer.from(options.secretKey, 'utf8')
  const key = readKey(join(options.dataDir, 'secret.key'))
  if (key) return key
  throw new OperatorError(
    `There is no secret key: set ATOLL_SECRET_KEY, or name with ATOLL_DATA_DIR the folder that has secret.key, not ${options.dataDir}.`,
  )
}

function readKey(file: string): Uint8Array | undefined {
  try {
    const mode = statSync(file).mode & 0o777
    if ((mode & 0o077) !== 0) {
      throw new OperatorError(
        `Others may read the secret key ${file} (its mode is ${mode.toString(8)}): make it yours alone with chmod 600.`,
      )
    }
    const text = readFileSync(file, 'utf8').trim()
    const key = Buffer.from(text, 'base64url')
    if (key.length < 32 || key.toString('base64url') !== text)
      throw new OperatorError(`${file} is damaged: restore it from a backup, or set ATOLL_SECRET_KEY.`)
    return key
  } catch (error) {
    if (error instanceof OperatorError) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`The secret key cannot be read: ${reason}.`, { cause: error })
  }
}

function makeKey(dataDir: string, file: string): Uint8Array {
  ensureDataFolder(dataDir)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    // A link appears whole or not at all, and never replaces another process's.
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  const key = readKey(file)
  if (!key) throw new Error(`${file} disappeared while it was made`)
  return key
}
