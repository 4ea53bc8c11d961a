import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OperatorError } from '../operator-error.ts'
import { loadSecretKeys, withAddedKey, withKeysAt } from './secret-key.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'atoll-key-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

it('is made once, long enough, and readable by its owner alone', () => {
  const first = loadSecretKeys({ secretKey: undefined, dataDir })
  expect(first[0].length).toBeGreaterThanOrEqual(32)
  expect(loadSecretKeys({ secretKey: undefined, dataDir })).toEqual(first)
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
})

it('is what the operator set, when set', () => {
  const secretKey = 'k'.repeat(40)
  expect(Buffer.from(loadSecretKeys({ secretKey, dataDir })[0]).toString()).toBe(secretKey)
})

it('is not silently replaced when its file is damaged', () => {
  const file = join(dataDir, 'secret.key')
  for (const text of ['short', '', `${'a'.repeat(40)} ${'b'.repeat(40)}`]) {
    writeFileSync(file, text, { mode: 0o600 })
    expect(() => loadSecretKeys({ secretKey: undefined, dataDir })).toThrow(OperatorError)
    expect(() => loadSecretKeys({ secretKey: undefined, dataDir })).toThrow(/secret\.key is damaged/)
  }
  rmSync(file)
  mkdirSync(file, { mode: 0o700 })
  expect(() => loadSecretKeys({ secretKey: undefined, dataDir })).toThrow(OperatorError)
})

it.each([0o640, 0o604, 0o666])('is refused when its file has mode %o', (mode) => {
  loadSecretKeys({ secretKey: undefined, dataDir })
  chmodSync(join(dataDir, 'secret.key'), mode)
  expect(() => loadSecretKeys({ secretKey: undefined, dataDir })).toThrow(OperatorError)
  expect(() => loadSecretKeys({ secretKey: undefined, dataDir })).toThrow(/chmod 600/)
})

it('keeps the keys before one that is added, and leaves those that are taken out', () => {
  const first = 'a secret with at least 32 characters, set by hand'
  const two = withAddedKey(first)
  const three = withAddedKey(two)
  const keysOf = (secretKey: string) => loadSecretKeys({ secretKey, dataDir: '/nowhere' })
  expect(keysOf(two).length).toBe(2)
  expect(keysOf(three).slice(0, 2)).toEqual(keysOf(two))
  expect(keysOf(withKeysAt(three, [2]))).toEqual(keysOf(three).slice(2))
  expect(keysOf(withKeysAt(three, [0, 2]))).toEqual([keysOf(three)[0], keysOf(three)[2]])
  expect(() => keysOf(`${two}and more`)).toThrow(/damaged/)
})
