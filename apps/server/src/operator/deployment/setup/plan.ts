/** Turns the answers of setup into files, units, and the records that the operator adds. Changes nothing. */
import { isIPv6 } from 'node:net'
import { challengeZoneOf } from '../../../modules/dns/index.ts'
import { localEndpoint } from './local-lxd.ts'
import type { Given } from './questions.ts'

export interface PlannedFile {
  path: string
  mode: number
  /** Undefined: as the secret of this name, which is made at random unless it is there. */
  text: string | undefined
  /** One that is there stays as it is. */
  keeps: boolean
  /** Shown to nobody. */
  isSecret?: true
}

export interface Plan {
  files: PlannedFile[]
  /** Enabled and started. */
  units: string[]
  records: { name: string; type: string; value: string }[]
  /** Ports that the world reaches, which nobody else may have. */
  ports: number[]
  /** Where the api answers on this machine. */
  api: string
}

export const settingsFolder = '/etc/atoll'
const unitFolder = '/etc/systemd/system'
const database = 'postgresql://atoll@/atoll?host=/var/run/postgresql'

/** Of what stands in a file of its own, so that no list of settings shows it. */
const secretFile = (name: string) => `${settingsFolder}/${name}`

export function planSetup(given: Given, catalog: string): Plan {
  const { console: page = '', wallet = '', vault = '', base = '' } = given
  const isEdge = given.https === 'edge'
  const has = (name: keyof Given) => given[name] !== undefined && given[name] !== 'none'
  const addresses = (given.address ?? '').split(',')
  const allowed = [...(given.payment === 'sandbox' ? ['sandbox'] : []), ...(has('smtp') ? [] : ['outbox'])]
  const apiHost = has('lxd') ? hostOf(given['control-address'] ?? '') : '127.0.0.1'
  const settings: Record<string, string | undefined> = {
    DATABASE_URL: database,
    ATOLL_SECRET_KEY_FILE: secretFile('key'),
    ATOLL_METRICS_TOKEN_FILE: secretFile('metrics-token'),
    ATOLL_DATA_DIR: '/var/lib/atoll',
    ATOLL_CATALOG: `${settingsFolder}/catalog.yaml`,
    ATOLL_CATALOG_APPLY: 'asked',
    ATOLL_PUBLIC_URL: `https://${page}`,
    ATOLL_WALLET_URL: `https://${wallet}`,
    ATOLL_VAULT_URL: `https://${vault}`,
    ATOLL_EDGE_DOMAIN: base,
    ATOLL_EDGE_URL: `https://${base}`,
    ATOLL_EDGE_ADDRESSES: given.address,
    ATOLL_MAIL_FROM: given['mail-from'],
    ATOLL_SMTP_URL_FILE: has('smtp') ? secretFile('smtp-url') : undefined,
    ATOLL_PAYMENT_GATEWAY: given.payment,
    ATOLL_ALLOW: allowed.length > 0 ? allowed.join(',') : undefined,
    ...(given.payment === 'stripe' && {
      ATOLL_STRIPE_SECRET_KEY_FILE: secretFile('stripe-secret-key'),
      ATOLL_STRIPE_WEBHOOK_SECRET_FILE: secretFile('stripe-webhook-secret'),
    }),
    ...(has('backup') && {
      ATOLL_SELF_BACKUP_REPOSITORY_FILE: secretFile('backup-repository'),
      ATOLL_SELF_BACKUP_PASSWORD_FILE: secretFile('backup-password'),
    }),
    ...(isEdge
      ? {
          ATOLL_EDGE_TLS_PORT: '443',
          ATOLL_EDGE_OWN_HOSTS: `${page}=${apiHost}:4800,${wallet}=127.0.0.1:4801,${vault}=127.0.0.1:4803`,
          ATOLL_ACME_DIRECTORY: given['acme-directory'],
          ATOLL_ACME_EMAIL: has('acme-email') ? given['acme-email'] : undefined,
          ATOLL_ACME_CA_FILE: has('acme-ca-file') ? given['acme-ca-file'] : undefined,
          ATOLL_NAME_SERVERS: addresses.map((one) => `${given['name-server']}=${one}`)[0],
          ATOLL_CHALLENGE_ZONE: given.challenges,
        }
      : { ATOLL_TRUST_PROXY: '1' }),
  }
  const control = has('lxd') ? `http://${apiHost}:4800` : undefined
  const secrets: [string, string | undefined][] = [
    ['key', undefined],
    ['metrics-token', undefined],
    ...(has('smtp') ? [['smtp-url', given.smtp] as [string, string | undefined]] : []),
    ...(['stripe-secret-key', 'stripe-webhook-secret'] as const).flatMap((name): [string, string | undefined][] =>
      has(name) ? [[name, given[name]]] : [],
    ),
    ...(has('backup')
      ? ([
          ['backup-repository', given.backup],
          ['backup-password', undefined],
        ] as [string, string | undefined][])
      : []),
  ]
  return {
    files: [
      { path: `${settingsFolder}/atoll.env`, mode: 0o640, text: envText(settings), keeps: false },
      // The api stands behind the edge, or behind the proxy.
      { path: `${settingsFolder}/api.env`, mode: 0o640, text: envText({ ATOLL_TRUST_PROXY: '1' }), keeps: false },
      ...(control === undefined
        ? []
        : [
            {
              path: `${settingsFolder}/worker.env`,
              mode: 0o640,
              keeps: false,
              text: envText({ ATOLL_PORT: '4810', ATOLL_CONTROL_URL: control }),
            },
          ]),
      { path: `${settingsFolder}/catalog.yaml`, mode: 0o640, text: catalogText(given, catalog, control), keeps: true },
      ...secrets.map(([name, text]) => ({
        path: secretFile(name),
        mode: 0o640,
        text,
        keeps: text === undefined,
        isSecret: true as const,
      })),
      ...socketFiles({ isEdge, addresses, control: has('lxd') ? given['control-address'] : undefined }),
    ],
    units: [
      ...(isEdge ? ['atoll-edge-tls.socket', 'atoll-dns-udp.socket', 'atoll-dns-tcp.socket', 'atoll@dns.service'] : []),
      ...(isEdge && addresses.some(isIPv6) ? ['atoll-dns-udp6.socket'] : []),
      ...(has('backup') ? ['atoll-backup.timer', 'atoll-backup-verify.timer'] : []),
      'atoll.target',
    ],
    records: recordsOf(given, addresses, isEdge),
    ports: isEdge ? [80, 443, 53] : [],
    api: `http://${apiHost}:4800`,
  }
}

const hostOf = (address: string) => (isIPv6(address) ? `[${address}]` : address)

function envText(settings: Record<string, string | undefined>): string {
  const lines = Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return `${lines.join('\n')}\n`
}

/** The shipped example, with an LXD or no cloud in the place of its own: nothing that runs beside the server. */
function catalogText(given: Given, shipped: string, control: string | undefined): string {
  const [, rest = ''] = shipped.split(/^clouds:\n[\s\S]*?(?=^# Workers that one cluster may have)/m)
  if (rest === '') throw new Error('The catalogue that comes with this version has no clouds to leave out')
  const mail = given['lxd-mail-network']
  const lxd = [
    `endpoints: [${given.lxd === 'local' ? localEndpoint : given.lxd}]`,
    `network: ${given['lxd-network']}`,
    ...(mail === 'none' ? [] : [`mailNetwork: ${mail}`]),
    `controlUrl: ${control}`,
    `clientCert: ${given['lxd-client-cert']}`,
    `clientKey: ${given['lxd-client-key']}`,
    `serverCert: ${given['lxd-server-cert']}`,
  ]
  const cloud = `clouds:
  - cloudName: cloud
    driver: lxd
    lxd:
${lxd.map((line) => `      ${line}`).join('\n')}
    title: { en-US: Cloud, zh-CN: 云 }
    regions:
      - regionId: here
        title: { en-US: Here, zh-CN: 本地 }
        place: { en-US: In our own hall, zh-CN: 自有机房 }
        overcommit: { cpu: 4, memory: 1, disk: 1.5 }
    offerings:
      - name: small-2
        title: Small 2
        cpuCoreCount: 2
        memoryMiB: 4096
        diskMiB: 40960
        price: { usd: 720, cny: 4900 }

`
  const head = '# What this deployment sells: docs/operator/catalogue.md. Prices are in cents and fen a month.\n\n'
  return head + (given.lxd === undefined || given.lxd === 'none' ? 'clouds: []\n\n' : cloud) + rest
}

interface Sockets {
  isEdge: boolean
  addresses: readonly string[]
  /** Where instances of LXD reach the api. */
  control: string | undefined
}

function socketFiles({ isEdge, addresses, control }: Sockets): PlannedFile[] {
  const file = (name: string, text: string) => ({ path: `${unitFolder}/${name}`, mode: 0o644, text, keeps: false })
  const unit = (what: string, name: string, role: string, listens: readonly string[]) =>
    `[Unit]\nDescription=Atoll: ${what}\nPartOf=atoll.target\n\n[Socket]\n${listens.join('\n')}\nFileDescriptorName=${name}\n` +
    `Service=atoll@${role}.service\n\n[Install]\nWantedBy=atoll.target\n`
  const isV6 = (address: string) => isIPv6(address)
  const listen = (kind: 'Stream' | 'Datagram', ones: readonly string[]) =>
    ones.map((address) => `Listen${kind}=${hostOf(address)}:53`)
  const v4 = addresses.filter((address) => !isV6(address))
  const v6 = addresses.filter(isV6)
  return [
    ...(control === undefined
      ? []
      : [
          // A bridge may come up later than the socket.
          file(
            'atoll-api.socket.d/control.conf',
            `[Socket]\nListenStream=\nListenStream=${hostOf(control)}:4800\nFreeBind=yes\n`,
          ),
        ]),
    ...(isEdge
      ? [
          // The empty line takes the one of the package away.
          file('atoll-edge.socket.d/public.conf', '[Socket]\nListenStream=\nListenStream=80\n'),
          file(
            'atoll-edge-tls.socket',
            unit('visitors, HTTPS', 'edge-tls', 'edge', ['ListenStream=443', 'Backlog=4096']),
          ),
          // On these addresses alone: a resolver of this machine may have others.
          file('atoll-dns-udp.socket', unit('name server, UDP', 'dns-udp', 'dns', listen('Datagram', v4))),
          file('atoll-dns-tcp.socket', unit('name server, TCP', 'dns-tcp', 'dns', listen('Stream', addresses))),
          ...(v6.length > 0
            ? [
                file(
                  'atoll-dns-udp6.socket',
                  unit('name server, UDP over IPv6', 'dns-udp6', 'dns', listen('Datagram', v6)),
                ),
              ]
            : []),
        ]
      : []),
  ]
}

function recordsOf(given: Given, addresses: readonly string[], isEdge: boolean): Plan['records'] {
  const { console: page = '', wallet = '', vault = '', base = '', challenges = '' } = given
  const server = given['name-server'] ?? ''
  const hosts = [page, wallet, vault, `*.${base}`, ...(isEdge ? [server] : [])]
  const leading = hosts.flatMap((name) =>
    addresses.map((value) => ({ name, type: isIPv6(value) ? 'AAAA' : 'A', value })),
  )
  if (!isEdge) return leading
  return [
    ...leading,
    { name: challenges, type: 'NS', value: server },
    { name: `_acme-challenge.${base}`, type: 'CNAME', value: challengeZoneOf(base, challenges) },
  ]
}
