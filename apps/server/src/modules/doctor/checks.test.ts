import { afterAll, expect, test } from 'vitest'
import { createDatabase } from '../../platform/db/index.ts'
import type { Finding, Patient } from './check.ts'
import { allChecks } from './checks/all-checks.ts'
import type { CheckContext } from './context.ts'
import type { DoctorConfig } from './doctor-config.ts'
import { catalogOf, now, wellConfig, wellHarness } from './testing/well-harness.ts'

/** Nobody listens there, and no check of this file asks. */
const database = createDatabase({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' })
afterAll(() => database.close())

interface Broken {
  config?: Partial<DoctorConfig>
  context?: Partial<CheckContext>
  catalog?: Patient['readCatalog']
}

const patientOf = ({ config, context, catalog }: Broken): Patient => ({
  db: database.db,
  pool: database.pool,
  config: { ...wellConfig, ...config },
  context: { ...wellHarness, ...context },
  readCatalog: catalog ?? (async () => catalogOf('lxd')),
})

const asked = allChecks.filter(
  ({ name, needsDatabase }) => !needsDatabase || ['secret-key', 'pooler', 'audit', 'ledger'].includes(name),
)
const look = async (name: string, broken: Broken): Promise<Finding> => {
  const check = asked.find((one) => one.name === name)
  if (!check) throw new Error(`There is no check ${name} here`)
  return await check.look(patientOf(broken))
}

const no = (message: string) => async (): Promise<never> => {
  throw new Error(message)
}
const days = (count: number) => new Date(now.getTime() + count * 24 * 60 * 60_000)
const members = (state: 'online' | 'lost', used: number) => async () => ({
  members: [{ name: 'hel-2', state, message: 'no heartbeat', space: { used, total: 3840e9 } }],
})

/** Per fault: the check that finds it, how severe it is, a word of the finding, and the broken thing. */
const broken: readonly [name: string, state: Finding['state'], word: string, thing: Broken][] = [
  ['public-url', 'failed', 'ECONNREFUSED', { context: { get: no('ECONNREFUSED') } }],
  ['public-url', 'failed', '404', { context: { get: async () => ({ status: 404, body: 'nginx' }) } }],
  ['secret-key', 'failed', 'another secret key', { context: { tryKey: no('a deployment with another secret key') } }],
  [
    'secret-modes',
    'failed',
    '/etc/atoll/key',
    { context: { statusOf: async () => ({ mode: 0o644, uid: 0, device: 1 }) } },
  ],
  [
    'secret-modes',
    'failed',
    '/etc/atoll/key',
    { context: { statusOf: async () => ({ mode: 0o640, uid: 7, device: 1 }) } },
  ],
  [
    'secret-modes',
    'failed',
    '/var/lib/atoll',
    { context: { statusOf: async () => ({ mode: 0o40777, uid: 0, device: 1 }) } },
  ],
  ['outside-clock', 'failed', '-40 s', { context: { outsideTime: async () => new Date(now.getTime() + 40_000) } }],
  ['outside-clock', 'warning', 'acme.example', { context: { outsideTime: async () => undefined } }],
  ['pooler', 'failed', 'transaction mode', { context: { findPooler: async () => 'a pooler in transaction mode' } }],
  ['audit', 'failed', 'record 7', { context: { verifyAudit: no('It breaks at record 7') } }],
  ['ledger', 'failed', 'entries 9', { context: { verifyLedger: no('It breaks at entries 9') } }],
  ['catalogue', 'failed', 'line 3', { catalog: no('line 3') }],
  ['sandbox', 'warning', 'sandbox', { config: { payments: { gateway: 'sandbox' } } }],
  ['lxd', 'failed', 'does not answer', { context: { lookAtLxd: no('LXD does not answer') } }],
  ['lxd', 'failed', 'hel-2 (no heartbeat)', { context: { lookAtLxd: members('lost', 0) } }],
  ['member-disks', 'failed', 'hel-2: 2.0 GB of 3840 GB', { context: { lookAtLxd: members('online', 3838e9) } }],
  ['member-disks', 'warning', 'hel-2', { context: { lookAtLxd: members('online', 3300e9) } }],
  ['agent-release', 'warning', 'not signed', { context: { offeredAgent: async () => undefined } }],
  ['agent-image', 'failed', 'EACCES', { context: { tryImage: no('EACCES: image') } }],
  ['control-address', 'failed', 'own address', { config: { controlUrl: 'http://127.0.0.1:4800' } }],
  ['control-address', 'failed', 'ETIMEDOUT', { context: { get: no('ETIMEDOUT') } }],
  ['process-offerings', 'warning', 'reef', { catalog: async () => catalogOf('process') }],
  ['wildcard-certificate', 'failed', 'expired', { context: { certificateEndOf: no('certificate has expired') } }],
  ['wildcard-certificate', 'warning', '20 days', { context: { certificateEndOf: async () => days(20) } }],
  ['wildcard-name', 'failed', 'no address', { context: { addressesOf: async () => [] } }],
  ['wildcard-name', 'failed', '404', { context: { get: async () => ({ status: 404, body: '' }) } }],
  [
    'name-servers',
    'failed',
    'no answer over TCP',
    { context: { asksNameServer: async () => ({ udp: true, tcp: false }) } },
  ],
  ['name-servers', 'failed', 'UDP or TCP', { context: { asksNameServer: async () => ({ udp: false, tcp: false }) } }],
  ['mail', 'failed', '535', { context: { tryMail: no('535 authentication failed') } }],
  ['mail-records', 'failed', 'no SPF', { context: { textsOf: async () => [] } }],
  ['mail-records', 'failed', 'mail._domainkey', { context: { textsOf: async () => ['v=spf1 -all'] } }],
  ['mail-records', 'warning', 'DKIM', { config: { mailSelector: undefined } }],
  ['file-mail', 'warning', '/outbox', { config: { smtpUrl: undefined } }],
  ['own-store', 'failed', 'wrong password', { context: { tryBackupStore: no('wrong password or no key found') } }],
  ['own-store', 'failed', 'not set', { config: { selfBackup: undefined } }],
  [
    'own-backup-place',
    'failed',
    '/srv/copies',
    {
      config: { selfBackup: { repository: '/srv/copies', passwordFile: '/etc/atoll/password' } },
      context: { statusOf: async () => ({ mode: 0o40750, uid: 0, device: 1 }) },
    },
  ],
  [
    'own-backup-place',
    'failed',
    '/srv/new/copies',
    {
      config: { selfBackup: { repository: '/srv/new/copies', passwordFile: '/etc/atoll/password' } },
      context: {
        statusOf: async (path) => (path.startsWith('/srv/new') ? undefined : { mode: 0o40750, uid: 0, device: 1 }),
      },
    },
  ],
  ['vault-address', 'failed', 'own address', { config: { vaultUrl: 'http://127.0.0.1:4803' } }],
  ['vault-address', 'failed', '502', { context: { get: async () => ({ status: 502, body: '' }) } }],
]

test.each(broken)('%s: %s, because of %s', async (name, state, word, thing) => {
  expect(await look(name, {})).toMatchObject({ state: 'passed' })
  const finding = await look(name, thing)
  expect(finding).toMatchObject({ state, mend: expect.any(String) })
  expect(finding.found).toContain(word)
})

test.each([
  ['member-disks', { context: { lookAtLxd: no('LXD does not answer') } }],
  ...['lxd', 'member-disks', 'agent-image', 'control-address', 'process-offerings'].map((name): [string, Broken] => [
    name,
    { catalog: no('line 3') },
  ]),
] satisfies [string, Broken][])('%s does not pass where it could not look', async (name, thing) => {
  expect(await look(name, thing)).toMatchObject({ state: 'skipped' })
})

test('each check of this table is broken once at least, and no two have one name', () => {
  expect(asked.map(({ name }) => name).filter((name) => !broken.some(([one]) => one === name))).toEqual([])
  expect(new Set(allChecks.map(({ name }) => name)).size).toBe(allChecks.length)
})

test('a checkout on this machine alone is not told of what only strangers could use', async () => {
  const here = { publicUrl: 'http://localhost:4800', payments: { gateway: 'sandbox' }, smtpUrl: undefined } as const
  for (const name of ['public-url', 'sandbox', 'file-mail', 'process-offerings', 'mail', 'mail-records'])
    expect(await look(name, { config: here, catalog: async () => catalogOf('process') })).toMatchObject({
      state: 'skipped',
    })
})
