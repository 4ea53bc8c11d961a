import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
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
  writeFileSync(join(dataDir, 'secret.key'), 'short')
  expect(() => loadSecretKey({ secretKey: undefined, dataDir })).toThrow(/secret\.key/)
})
