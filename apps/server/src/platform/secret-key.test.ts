import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OperatorError } from './operator-error.ts'
import { loadSecretKey } from './secret-key.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'atoll-key-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

it('is made once, long enough, and readable by its owner alone', () => {
  const first = loadSecretKey({ secretKey: undefined, dataDir })
  expect(first.length).toBeGreaterThanOrEqual(32)
  expect(loadSecretKey({ secretKey: undefined, dataDir })).toEqual(first)
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
})

it('is what the operator set, when set', () => {
  const secretKey = 'k'.repeat(40)
  expect(Buffer.from(loadSecretKey({ secretKey, dataDir })).toString()).toBe(secretKey)
})

it('is not silently replaced when its file is damaged', () => {
  const file = join(dataDir, 'secret.key')
  for (const text of ['short', '', `${'a'.repeat(40)} ${'b'.repeat(40)}`]) {
    writeFileSync(file, text, { mode: 0o600 })
    expect(() => loadSecretKey({ secretKey: undefined, dataDir })).toThrow(OperatorError)
    expect(() => loadSecretKey({ secretKey: undefined, dataDir })).toThrow(/secret\.key is damaged/)
  }
  rmSync(file)
  mkdirSync(file, { mode: 0o700 })
  expect(() => loadSecretKey({ secretKey: undefined, dataDir })).toThrow(OperatorError)
})

it.each([0o640, 0o604, 0o666])('is refused when its file has mode %o', (mode) => {
  loadSecretKey({ secretKey: undefined, dataDir })
  chmodSync(join(dataDir, 'secret.key'), mode)
  expect(() => loadSecretKey({ secretKey: undefined, dataDir })).toThrow(OperatorError)
  expect(() => loadSecretKey({ secretKey: undefined, dataDir })).toThrow(/chmod 600/)
})
