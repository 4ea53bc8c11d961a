import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { keySetting, publicKeyOf, readSigningKey, signSums, sumsOf } from './sums.ts'

let folder: string
const write = (name: string, bytes: string | Buffer) => writeFileSync(join(folder, name), bytes)
/** Whether a program that we did not write agrees. */
function agrees(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { cwd: folder, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atoll-sums-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

it('sha256sum reads the sums, and notices a file that was changed', async () => {
  write('b.tar.zst', 'the archive')
  write('a.json', '{}')
  const sums = await sumsOf(folder, ['b.tar.zst', 'a.json'])
  expect(sums.split('\n').map((line) => line.slice(66))).toEqual(['a.json', 'b.tar.zst', ''])
  write('SHA256SUMS', sums)
  expect(agrees('sha256sum', '-c', '--strict', 'SHA256SUMS')).toBe(true)
  write('a.json', '{"more": true}')
  expect(agrees('sha256sum', '-c', '--strict', 'SHA256SUMS')).toBe(false)
})

it('openssl verifies the signature with the public key beside it, and no other text', () => {
  write('key.pem', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const key = readSigningKey({ [keySetting]: join(folder, 'key.pem') })
  if (!key) throw new Error('no key')
  for (const [name, bytes] of [
    ['SHA256SUMS', 'sums\n'],
    ['sig', signSums('sums\n', key)],
    ['pub', publicKeyOf(key)],
  ] as const)
    write(name, bytes)
  const verify = ['pkeyutl', '-verify', '-pubin', '-inkey', 'pub', '-rawin', '-in', 'SHA256SUMS', '-sigfile', 'sig']
  expect(agrees('openssl', ...verify)).toBe(true)
  write('SHA256SUMS', 'other sums\n')
  expect(agrees('openssl', ...verify)).toBe(false)
})

it('there is no key where none is named, and a key of another kind is refused', () => {
  expect(readSigningKey({})).toBeUndefined()
  expect(readSigningKey({ [keySetting]: '' })).toBeUndefined()
  write('key.pem', generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  expect(() => readSigningKey({ [keySetting]: join(folder, 'key.pem') })).toThrow(/not of Ed25519/)
})
