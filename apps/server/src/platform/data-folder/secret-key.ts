import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { ensureDataFolder } from './data-folder.ts'

/**
 * The deployment's secret keys: the first one, which is what the operator set or is a random one in
 * `<dataDir>/secret.key`, and below it, in the same text, those that `rotate-key` added, a line each. Which of them new
 * values are made with, the database says.
 */
export type SecretKeys = readonly [Uint8Array, ...Uint8Array[]]

interface KeyPlace {
  secretKey: string | undefined
  dataDir: string
}

/** Before each key that was added. */
const addedMark = 'atoll-key:'

/**
 * Processes that start together end up with the same file. Throws an `OperatorError` for a file that is damaged or that
 * others may read.
 */
export function loadSecretKeys(options: KeyPlace): SecretKeys {
  if (options.secretKey !== undefined) return keysOfSetting(options.secretKey)
  const file = join(options.dataDir, 'secret.key')
  return readKeys(file) ?? makeKey(options.dataDir, file)
}

/** The same, made by nobody: throws an `OperatorError` when there is none. */
export function requireSecretKeys(options: KeyPlace): SecretKeys {
  if (options.secretKey !== undefined) return keysOfSetting(options.secretKey)
  const keys = readKeys(join(options.dataDir, 'secret.key'))
  if (keys) return keys
  throw new OperatorError(
    `There is no secret key: set ATOLL_SECRET_KEY, or name with ATOLL_DATA_DIR the folder that has secret.key, not ${options.dataDir}.`,
  )
}

/** The text of a key file with one more key; the keys before it stay. */
export function withAddedKey(text: string): string {
  return `${text.trim()}\n${addedMark}${randomBytes(32).toString('base64url')}\n`
}

/** The text of a key file with these of its keys alone, by their places in it. */
export function withKeysAt(text: string, places: readonly number[]): string {
  const { first, added } = partsOf(text)
  const lines = [...(first === '' ? [] : [first]), ...added]
  return `${lines.filter((_, place) => places.includes(place)).join('\n')}\n`
}

function partsOf(text: string): { first: string; added: string[] } {
  const lines = text.trim().split('\n')
  const from = lines.findIndex((line) => line.startsWith(addedMark))
  if (from < 0) return { first: text.trim(), added: [] }
  return { first: lines.slice(0, from).join('\n').trim(), added: lines.slice(from).map((line) => line.trim()) }
}

function keysOf(text: string, readFirst: (text: string) => Uint8Array): SecretKeys {
  const { first, added } = partsOf(text)
  const [one, ...others] = [
    ...(first === '' ? [] : [readFirst(first)]),
    ...added.map((line) => decode(line.startsWith(addedMark) ? line.slice(addedMark.length) : '')),
  ]
  if (one === undefined) throw new OperatorError('There is no key in the text of the secret key.')
  return [one, ...others]
}

function keysOfSetting(text: string): SecretKeys {
  return keysOf(text, (first) => Buffer.from(first, 'utf8'))
}

/** The key of 32 bytes or more that is written as base64url. */
function decode(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64url')
  if (key.length < 32 || key.toString('base64url') !== text)
    throw new OperatorError('A key in the text of the secret key is damaged: restore it from a backup.')
  return key
}

function readKeys(file: string): SecretKeys | undefined {
  try {
    const mode = statSync(file).mode & 0o777
    if ((mode & 0o077) !== 0) {
      throw new OperatorError(
        `Others may read the secret key ${file} (its mode is ${mode.toString(8)}): make it yours alone with chmod 600.`,
      )
    }
    const damaged = () => new OperatorError(`${file} is damaged: restore it from a backup, or set ATOLL_SECRET_KEY.`)
    const text = readFileSync(file, 'utf8').trim()
    if (text === '') throw damaged()
    return keysOf(text, (first) => {
      const key = Buffer.from(first, 'base64url')
      if (key.length < 32 || key.toString('base64url') !== first) throw damaged()
      return key
    })
  } catch (error) {
    if (error instanceof OperatorError) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`The secret key cannot be read: ${reason}.`, { cause: error })
  }
}

function makeKey(dataDir: string, file: string): SecretKeys {
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
  const keys = readKeys(file)
  if (!keys) throw new Error(`${file} disappeared while it was made`)
  return keys
}
