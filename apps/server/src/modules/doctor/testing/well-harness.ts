/** A deployment without any fault, with nothing behind it: a test overrides the parts that it breaks. */
import type { Catalog } from '../../catalog/index.ts'
import { parseCatalog } from '../../catalog/index.ts'
import type { CheckContext } from '../context.ts'
import type { DoctorConfig } from '../doctor-config.ts'

export const now = new Date('2026-11-26T14:19:00Z')
const day = 24 * 60 * 60_000

export const wellConfig: DoctorConfig = {
  dataDir: '/var/lib/atoll',
  databaseUrl: 'postgresql://atoll@/atoll?host=/var/run/postgresql',
  secretKey: 'k'.repeat(32),
  host: '127.0.0.1',
  port: 4800,
  publicUrl: 'https://console.atoll.example',
  controlUrl: 'http://10.0.0.5:4800',
  vaultUrl: 'https://vault.atoll.example',
  vaultDir: '/srv/vault',
  vaultBucket: undefined,
  edgeDomain: 'reef.example',
  clusterUrl: (label) => `https://${label}.reef.example`,
  nameServers: [{ host: 'ns1.reef.example', address: '203.0.113.11', port: 53 }],
  payments: { gateway: 'stripe' },
  smtpUrl: 'smtps://mail.example',
  mailFrom: '"Atoll" <no-reply@atoll.example>',
  mailSelector: 'mail',
  selfBackup: { repository: 's3:https://s3.example/atoll', passwordFile: '/etc/atoll/backup-password' },
  secretFiles: ['/etc/atoll/key'],
  clockUrl: 'https://acme.example/directory',
  version: '1.2.0',
  isRelease: true,
}

export const wellHarness: CheckContext = {
  now: () => now,
  edgeMarkPath: '/mark',
  get: async () => ({ status: 200, body: '{"status":"ok"}' }),
  addressesOf: async () => ['203.0.113.10'],
  textsOf: async (name) => [name.startsWith('mail._domainkey.') ? 'v=DKIM1; k=rsa; p=MIIB' : 'v=spf1 mx -all'],
  certificateEndOf: async () => new Date(now.getTime() + 57 * day),
  spaceOf: async () => ({ total: 200e9, free: 100e9 }),
  statusOf: async (path) =>
    path.endsWith('/self-backup') ? undefined : { mode: 0o100640, uid: 0, device: path === '/var/lib/atoll' ? 1 : 2 },
  outsideTime: async () => now,
  asksNameServer: async () => ({ udp: true, tcp: true }),
  tryMail: async () => undefined,
  tryBackupStore: async () => undefined,
  listHalfDumps: async () => [],
  lookAtLxd: async () => ({
    members: ['hel-1', 'hel-2'].map((name) => ({
      name,
      state: 'online',
      message: '',
      space: { used: 1e12, total: 3.84e12 },
    })),
  }),
  tryImage: async () => undefined,
  offeredAgent: async () => ({
    version: '1.2.0+0123456789ab',
    at: 1,
    sha256: '0'.repeat(64),
    signature: `${'0'.repeat(87)}=`,
  }),
  tryKey: async () => undefined,
  findPooler: async () => undefined,
  verifyAudit: async () => 12,
  verifyLedger: async () => 34,
}

const words = 'Reef'

/** One cloud with this driver. */
export function catalogOf(driver: 'lxd' | 'process'): Catalog {
  const lxd = 'lxd: { endpoints: [/var/lib/lxd/unix.socket], network: atollbr0 }'
  return parseCatalog(
    `clouds:
  - cloudName: reef
    driver: ${driver}
    ${driver === 'lxd' ? lxd : ''}
    title: ${words}
    regions: [{ regionId: hel, title: ${words}, place: ${words} }]
    offerings: [{ name: small, title: ${words}, cpuCoreCount: 1, memoryMiB: 512, diskMiB: 1024, price: { usd: 5 } }]
versions: [{ version: '1', title: ${words}, summary: ${words}, image: agent, steps: [prepare] }]
`,
    'catalog.yaml',
  )
}
