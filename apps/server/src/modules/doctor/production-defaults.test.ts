import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listUnsafe, type ProductionConfig, requireProductionDefaults } from './production-defaults.ts'
import type { Allowance } from './settings.ts'
import { catalogOf } from './testing/well-harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'atoll-key-'))
const key = join(folder, 'key')
writeFileSync(key, 'secret', { mode: 0o600 })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const safe: ProductionConfig = {
  publicUrl: 'https://console.atoll.example',
  payments: { gateway: 'stripe' },
  smtpUrl: 'smtps://mail.example',
  dataDir: '/var/lib/atoll',
  vaultUrl: 'https://vault.atoll.example',
  selfHostClusters: 20,
  secretFiles: [key],
  allowed: [],
}
const unsafeOf = (config: Partial<ProductionConfig>, driver: 'lxd' | 'process' = 'lxd', isRoot = true) =>
  listUnsafe({ ...safe, ...config }, catalogOf(driver), isRoot).map(({ allowance }) => allowance)

test.each<[Allowance[], Partial<ProductionConfig>, ('lxd' | 'process')?, boolean?]>([
  [[], {}],
  [['sandbox'], { payments: { gateway: 'sandbox' } }],
  [['process'], {}, 'process'],
  [['process', 'key'], {}, 'process', false],
  [['outbox'], { smtpUrl: undefined }],
  [['vault'], { vaultUrl: 'http://127.0.0.1:4803' }],
  [['vault'], { vaultUrl: 'http://127.0.0.1:4803', selfHostClusters: 0 }],
])('on a public address it is told that %j is not safe', (allowances, config, driver, isRoot) => {
  expect(unsafeOf(config, driver, isRoot)).toEqual(allowances)
  // On this machine alone nothing of it is.
  expect(unsafeOf({ ...config, publicUrl: 'http://localhost:4800' }, driver, isRoot)).toEqual([])
  const asked = { ...safe, ...config }
  if (allowances.includes('key')) return // of root's start it is not
  const start = (allowed: Allowance[]) => () =>
    requireProductionDefaults({ ...asked, allowed }, catalogOf(driver ?? 'lxd'))
  const isRefused = allowances.length > 0
  if (isRefused) expect(start([])).toThrow(`ATOLL_ALLOW=${allowances.join(',')}`)
  expect(start([...allowances, 'key'])).not.toThrow()
})

test('a key that everybody may read is told where instances run beside it', () => {
  chmodSync(key, 0o644)
  expect(unsafeOf({}, 'process')).toEqual(['process', 'key'])
  chmodSync(key, 0o600)
  expect(unsafeOf({}, 'process')).toEqual(['process'])
})
