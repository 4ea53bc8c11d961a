/**
 * `npm run test:release`: proofs of a release that take minutes. Makes it twice and compares every byte, then unpacks
 * the archive elsewhere and starts it. Not part of `npm test` or `npm run test:deep`.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readIdentity } from './layout.ts'
import { makeRelease } from './make.ts'
import { importEveryChunk, startOnce } from './smoke.ts'
import { keySetting } from './sums.ts'

const scratch = mkdtempSync(join(tmpdir(), 'atoll-release-proof-'))
const identity = readIdentity()
const inFolder = (...path: string[]) => join(scratch, ...path)
const run = (program: string, args: string[], cwd = scratch) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 2, 2] })
let failed = 0
let passed = 0

async function prove(sentence: string, proof: () => Promise<string | undefined>): Promise<void> {
  try {
    const figures = await proof()
    passed += 1
    process.stdout.write(`✓ ${sentence}${figures === undefined ? '' : `: ${figures}`}\n`)
  } catch (error) {
    failed += 1
    process.stdout.write(`✗ ${sentence}\n${error instanceof Error ? error.stack : error}\n`)
  }
}

try {
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  writeFileSync(inFolder('key.pem'), key, { mode: 0o600 })
  const env = { [keySetting]: inFolder('key.pem') }
  const { archive } = await makeRelease(inFolder('one'), identity, env)

  await prove('the same sources give the same bytes, in another folder and another time', async () => {
    await makeRelease(inFolder('two'), identity, env)
    for (const name of ['SHA256SUMS', 'SHA256SUMS.sig']) {
      assert.deepEqual(readFileSync(inFolder('two', name)), readFileSync(inFolder('one', name)))
    }
    return undefined
  })
  await prove('sha256sum and openssl agree with the sums and their signature', async () => {
    run('sha256sum', ['-c', '--strict', 'SHA256SUMS'], inFolder('one'))
    const signed = ['-inkey', 'release-key.pem', '-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig']
    run('openssl', ['pkeyutl', '-verify', '-pubin', '-rawin', ...signed], inFolder('one'))
    return undefined
  })
  await prove('a release without a key is not signed', async () => {
    assert.equal((await makeRelease(inFolder('two'), identity, {})).isSigned, false)
    return undefined
  })
  const installed = inFolder('installed', `atoll-${identity.version}`)
  await prove('what is unpacked from the archive loads', async () => {
    mkdirSync(inFolder('installed'))
    run('tar', ['--zstd', '-xf', archive, '-C', inFolder('installed')])
    return `${await importEveryChunk(installed)} files`
  })
  for (const roles of ['api,worker,edge,dns,vault', 'api', 'worker', 'edge', 'dns', 'vault']) {
    await prove(`it starts ${roles} on PostgreSQL and says which version it is`, async () => {
      const { readyMs, processorMs, memoryMb, health } = await startOnce(installed, roles)
      assert.deepEqual(health, { status: 'ok', ...identity })
      assert.ok(memoryMb <= 160, `${memoryMb} MB are more than 160`)
      return `ready after ${readyMs} ms, of them ${processorMs} ms of a processor, ${memoryMb} MB`
    })
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failed} failed, 0 skipped\n`)
process.exitCode = failed === 0 ? 0 : 1
