import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { listSnapshotFiles, usageOf } from './index.ts'
import { captureComplaint, restics, runRestic } from './testing/restic-programs.ts'
import { type RunningVault, runVault } from './testing/running-vault.ts'
import { vaultClient } from './testing/vault-client.ts'
import { openVaultHarness } from './testing/vault-harness.ts'

const database = useDatabase()
let running: RunningVault
let folder: string
beforeAll(async () => {
  running = await runVault(database, { clock: systemClock })
  folder = mkdtempSync(join(tmpdir(), 'atoll-restic-'))
})
afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(Object.entries(restics))('restic %s', (version, program) => {
  test.skipIf(program === undefined)(
    'makes, adds to, reads and prunes a repository here, within the rights it has, and opens its folder',
    async () => {
      const harness = await openVaultHarness(database, running.vault, systemClock)
      const { repositoryId } = harness
      const home = join(folder, version)
      const [source, cache] = [join(home, 'source'), join(home, 'cache')]
      mkdirSync(source, { recursive: true })
      const first = randomBytes(3_000_000)
      writeFileSync(join(source, 'first'), first)
      const as = async (right: 'read' | 'write' | 'prune', more = {}) => {
        const { url, grantId, token } = await harness.grant(right, more)
        const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
        return (...args: string[]) => runRestic(program ?? '', { repository, cache }, ...args)
      }
      const write = await as('write')
      // As a kill in the middle of an earlier init leaves it: a key, and no config.
      const client = vaultClient(await harness.grant('write'))
      await runRestic(program ?? '', { repository: join(home, 'other'), cache }, 'init')
      const [keyName = ''] = readdirSync(join(home, 'other/keys'))
      const unused = readFileSync(join(home, 'other/keys', keyName))
      expect((await client.post(`keys/${keyName}`, unused)).status).toBe(200)
      await write('init')
      expect(await (await client.ask('GET', 'keys/')).json()).not.toContain(keyName)
      expect((await client.ask('POST', '?create=true')).status).toBe(200)
      await write('backup', source)
      writeFileSync(join(source, 'second'), randomBytes(50_000))
      await (await as('write'))('backup', source)
      const snapshots = await listSnapshotFiles(database.db, repositoryId)
      expect(snapshots).toHaveLength(2)
      const held = await usageOf(database.db, { repositoryId })
      expect(held).toMatchObject({ reservedBytes: 0, trashBytes: 0 })
      expect(held.liveBytes).toBeGreaterThan(3_050_000)
      expect(await usageOf(database.db, { accountId: harness.userid })).toEqual(held)

      const read = await as('read')
      await read('check', '--read-data')
      await read('restore', 'latest', '--target', join(home, 'restored'))
      expect(readFileSync(join(home, 'restored', source, 'first')).equals(first)).toBe(true)
      const [oldest] = snapshots
      const plain = (...args: string[]) =>
        runRestic(program ?? '', { repository: join(running.folder, repositoryId), cache }, ...args)
      expect(JSON.parse(await plain('snapshots', '--json', '--no-lock'))).toHaveLength(2)

      const prune = await as('prune', { deletes: { snapshots: [oldest?.name] } })
      await prune('forget', oldest?.name ?? '')
      await prune('prune', '--max-unused', '0')
      await read('check')
      expect(await listSnapshotFiles(database.db, repositoryId)).toHaveLength(1)
      expect((await usageOf(database.db, { repositoryId })).trashBytes).toBeGreaterThan(0)
      const { rows } = await database.pool.query(
        `select count(*)::int as locks from vault_files where type = 'locks' and repo_id = $1`,
        [repositoryId],
      )
      expect(rows).toEqual([{ locks: 0 }])
      expect(running.damaged).toEqual([])
    },
  )
})

/** A certificate for this machine that nobody signed but its own key. */
function writeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'vault.pem'), join(folder, 'vault.key')]
  const subject = ['-subj', '/CN=vault', '-addext', 'subjectAltName=IP:127.0.0.1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const made = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...curve, ...made, ...subject], { stdio: 'ignore' })
  return { certificate, key }
}

test.skipIf(restics['0.18'] === undefined)(
  'restic backs up, checks and restores over TLS, and reaches no vault whose certificate it does not trust',
  async () => {
    const home = join(folder, 'tls')
    mkdirSync(home)
    const files = writeCertificate(home)
    const secure = await runVault(database, { clock: systemClock, tls: files })
    try {
      const { url, grantId, token } = await (await openVaultHarness(database, secure.vault, systemClock)).grant('write')
      expect(url).toMatch(/^https:/)
      const [source, cache, target] = [join(home, 'source'), join(home, 'cache'), join(home, 'restored')]
      mkdirSync(source)
      const bytes = randomBytes(3_000_000)
      writeFileSync(join(source, 'file'), bytes)
      const repository = `rest:${url.replace('://', `://${grantId}:${token}@`)}`
      const restic = (env: Record<string, string>, ...args: string[]) =>
        runRestic(restics['0.18'] ?? '', { repository, cache, env }, ...args)
      // The agent also passes restic the authorities that it trusts.
      const trusting = { RESTIC_CACERT: files.certificate }
      await restic(trusting, 'init')
      await restic(trusting, 'backup', source)
      await restic(trusting, 'check', '--read-data')
      await restic(trusting, 'restore', 'latest', '--target', target)
      expect(readFileSync(join(target, source, 'file')).equals(bytes)).toBe(true)
      for (const [reached, complaint] of [
        [{ repository, cache }, /unknown authority/],
        [{ repository: repository.replace('https:', 'http:'), cache }, /EOF|connection reset|malformed/],
      ] as const)
        expect(await captureComplaint(restics['0.18'] ?? '', { ...reached, complaint }, 'cat', 'config')).toMatch(
          complaint,
        )
    } finally {
      await secure.close()
    }
  },
)
