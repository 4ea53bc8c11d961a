/**
 * `npm run test:release`: proofs of a release that take minutes. Makes it twice and compares every byte, then unpacks
 * the archive elsewhere and starts it. Not part of `npm test` or `npm run test:deep`.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebianPackages } from '../scripts/programs/debian-packages.ts'
import { proveOnDebian } from './debian-proof.ts'
import { readIdentity } from './layout.ts'
import { makeRelease } from './make.ts'
import { proveImage } from './oci-proof.ts'
import { importEveryChunk, startOnce } from './smoke.ts'
import { keySetting } from './sums.ts'

const scratch = mkdtempSync(join(tmpdir(), 'atoll-release-proof-'))
const identity = readIdentity()
/** The answer of /healthz. */
const healthy = { status: 'ok', version: identity.version, commit: identity.commit }
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
  const { archive, debianPackage } = await makeRelease(inFolder('one'), identity, env)

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
  await prove(
    'the Debian package has the same program, and units that systemd accepts and finds little to expose',
    async () => {
      const laidOut = inFolder('package')
      run('dpkg-deb', ['--extract', debianPackage, laidOut])
      const tree = join(laidOut, 'usr/lib/atoll/package')
      run('diff', ['-r', tree, installed])
      const units = join(laidOut, 'usr/lib/systemd/system')
      const roles = ['api', 'worker', 'edge', 'vault', 'dns'].map((role) => join(units, `atoll@${role}.service`))
      for (const unit of roles) cpSync(join(units, 'atoll@.service'), unit)
      // Units name their program by the path that it has once it is installed.
      const program = 'node/bin/node'
      for (const name of readdirSync(units).filter((name) => name.endsWith('.service'))) {
        const text = readFileSync(join(units, name), 'utf8')
        writeFileSync(join(units, name), text.replaceAll(`/usr/lib/atoll/current/${program}`, join(tree, program)))
      }
      const others = readdirSync(units).filter((name) => !name.startsWith('atoll@'))
      run('systemd-analyze', ['verify', '--man=no', ...roles, ...others.map((name) => join(units, name))])
      const mostExposed = '25'
      const asked = ['security', '--offline=true', `--threshold=${mostExposed}`]
      for (const unit of [...roles, join(units, 'atoll-migrate.service')]) run('systemd-analyze', [...asked, unit])
      return `${(statSync(debianPackage).size / 1e6).toFixed(1)} MB`
    },
  )
  for (const roles of ['api,worker,edge,dns,vault', 'api', 'worker', 'edge', 'dns', 'vault']) {
    await prove(`it starts ${roles} on PostgreSQL and says which version it is`, async () => {
      const { readyMs, processorMs, memoryMb, health } = await startOnce(installed, roles)
      assert.deepEqual(health, healthy)
      assert.ok(memoryMb <= 160, `${memoryMb} MB are more than 160`)
      return `ready after ${readyMs} ms, of them ${processorMs} ms of a processor, ${memoryMb} MB`
    })
  }
  await prove('docker-compose takes the file for its image', async () => {
    await installDebianPackages(['docker-compose'])
    const place = inFolder('compose')
    mkdirSync(join(place, 'secrets'), { recursive: true })
    cpSync(inFolder('one', 'compose.yaml'), join(place, 'compose.yaml'))
    for (const name of [
      'atoll.env',
      'catalog.yaml',
      'secrets/key',
      'secrets/database-url',
      'secrets/postgres-password',
    ])
      writeFileSync(join(place, name), '')
    const asked = { cwd: place, env: { ...process.env, ATOLL_VERSION: identity.version }, encoding: 'utf8' } as const
    const services = execFileSync('docker-compose', ['config', '--services'], asked).trim().split('\n').toSorted()
    assert.deepEqual(services, ['api', 'dns', 'edge', 'migrate', 'postgres', 'vault', 'worker'])
    return services.join(', ')
  })
  await prove('its image starts in runc, serves a cluster, and gives way to the next version', () =>
    proveImage(inFolder('one', `atoll-${identity.version}.oci.tar`), scratch, identity.version),
  )
  await proveOnDebian(prove, scratch, debianPackage, identity)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failed} failed, 0 skipped\n`)
process.exitCode = failed === 0 ? 0 : 1
