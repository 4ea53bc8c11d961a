import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The deployment's secret key: what the operator set, or a random one kept in `<dataDir>/secret.key`, readable by its
 * owner alone. Processes that start together end up with the same file.
 */
export function loadSecretKey(options: { secretKey: string | undefined; dataDir: string }): Uint8Array {
  if (options.secretKey !== undefined) return Buffer.from(options.secretKey, 'utf8')
  const file = join(options.dataDir, 'secret.key')
  return readKey(file) ?? makeKey(options.dataDir, file)
}

function readKey(file: string): Uint8Array | undefined {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
    if (key.length < 32) throw new Error(`${file} is not a key this server made; restore it from a backup`)
    return key
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function makeKey(dataDir: string, file: string): Uint8Array {
  mkdirSync(dataDir, { recursive: true })
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
