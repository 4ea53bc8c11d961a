/**
 * Every setting of the server in one table: name, default, check, and the line `--help` prints. `config.ts` reads them
 * from the environment.
 */
import { selfHostSilenceMs } from '@atoll/contract/clusters'
import { z } from 'zod'

export const roles = ['api', 'worker', 'edge'] as const
export type Role = (typeof roles)[number]

const Port = z.coerce.number('must be a port, 1 to 65535').int().min(1).max(65535)
const HttpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
const Hostname = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/, 'must be a host name in lower case')
const Yes = z.enum(['true', 'false']).transform((word) => word === 'true')
const List = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

interface Setting<T extends z.ZodType> {
  schema: T
  /** As written in the environment; undefined: not set. */
  fallback: string | undefined
  /** Shown by `--help` when there is no plain default. */
  fallbackText?: string
  text: string
  /** May be given as a file too: `NAME_FILE`. */
  isSecret?: boolean
}

function setting<T extends z.ZodType>(
  schema: T,
  fallback: string | undefined,
  text: string,
  fallbackText?: string,
): Setting<T> {
  return { schema, fallback, text, ...(fallbackText !== undefined && { fallbackText }) }
}

function secret<T extends z.ZodType>(schema: T, text: string, fallbackText: string): Setting<T> {
  return { ...setting(schema, undefined, text, fallbackText), isSecret: true }
}

export const settings = {
  ATOLL_DATA_DIR: setting(z.string().min(1), '.data', 'Folder for everything this deployment keeps on this machine.'),
  ATOLL_RUN_DIR: setting(
    z.string().min(1),
    '/var/lib/atoll/run',
    'As root: folder for the copies of agent and Node that instances of process run, as the user atoll-instance.',
  ),
  ATOLL_INSTANCE_DIR: setting(
    z.string().min(1),
    '/var/lib/atoll/instances',
    'As root: folder for the files of instances of process. As another user they are in ATOLL_DATA_DIR.',
  ),
  ATOLL_HOST: setting(z.string().min(1), '127.0.0.1', 'Address to listen on.'),
  ATOLL_PORT: setting(Port, '4800', 'Port of the console and the API.'),
  ATOLL_WALLET_PORT: setting(Port, '4801', 'Port of the wallet.'),
  ATOLL_EDGE_PORT: setting(Port, '4802', 'Port on which clusters are reached by name.'),
  ATOLL_EDGE_DOMAIN: setting(Hostname, 'atoll.localhost', 'Clusters answer at http://NAME.DOMAIN:EDGE_PORT.'),
  ATOLL_PUBLIC_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address of the console as browsers and wallets reach it.',
    'http://localhost:ATOLL_PORT',
  ),
  ATOLL_WALLET_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address of the wallet as browsers reach it.',
    'http://localhost:ATOLL_WALLET_PORT',
  ),
  ATOLL_EDGE_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Scheme and port of cluster addresses when a proxy stands before the edge, such as https://atoll.example.',
    'http://EDGE_DOMAIN:EDGE_PORT',
  ),
  ATOLL_ENROLL_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which self-hosted machines reach the API.',
    'ATOLL_PUBLIC_URL',
  ),
  ATOLL_EDGE_PEER_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which other edges of this deployment reach this one, past any proxy.',
    'http://ATOLL_HOST:ATOLL_EDGE_PORT',
  ),
  ATOLL_RELAY_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which self-hosted machines dial the edge.',
    'ATOLL_EDGE_URL, or the host of ATOLL_ENROLL_URL with ATOLL_EDGE_PORT',
  ),
  ATOLL_FRPS_ADDR: setting(
    z
      .string()
      .regex(/^[a-zA-Z0-9.-]+:\d{1,5}$/, 'must be HOST:PORT')
      .optional(),
    undefined,
    'Your frps, as self-hosted machines reach it; with ATOLL_FRPS_URL it takes the place of our relay.',
    'none, our own relay is used',
  ),
  ATOLL_FRPS_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Scheme, subDomainHost and port at which visitors reach your frps, such as http://frp.example:8080.',
    'none',
  ),
  ATOLL_FRPS_TOKEN: secret(z.string().min(1).max(400).optional(), 'auth.token of your frps.', 'none'),
  ATOLL_SELF_HOST_SILENCE_SECONDS: setting(
    z.coerce.number().int().min(2).max(3600),
    String(selfHostSilenceMs / 1000),
    'A self-hosted machine that has not reported for so long is offline, seconds.',
  ),
  ATOLL_CHINA_URL: setting(HttpUrl.optional(), undefined, 'API address for Chinese readers.', 'ATOLL_PUBLIC_URL'),
  ATOLL_CONTROL_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which agents reach the API; a worker without api needs it.',
    'http://127.0.0.1:ATOLL_PORT',
  ),
  DATABASE_URL: secret(
    // Not z.url(): libpq's form with a socket folder, postgresql://user@/name?host=/folder, is no URL to it.
    z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, 'must start with postgres:// or postgresql://')
      .optional(),
    'PostgreSQL 15 or newer to use.',
    'an embedded server in the data folder',
  ),
  ATOLL_SECRET_KEY: secret(
    z.string().min(32, 'must have at least 32 characters').optional(),
    'Key for secrets at rest; the same for every process of a deployment.',
    'a key file in the data folder',
  ),
  ATOLL_ROLES: setting(
    List.pipe(z.array(z.enum(roles)).min(1)),
    roles.join(','),
    'What this process does; also --roles.',
  ),
  ATOLL_PRODUCT: setting(z.string().min(1).max(40), 'Atoll', 'Name of the product in every text.'),
  ATOLL_WALLET_NAME: setting(z.string().min(1).max(40), 'LarePass', 'Name of the wallet app in texts.'),
  ATOLL_NAME_DOMAINS: setting(
    List.pipe(z.array(Hostname).min(1)),
    'atoll.test',
    'Domains under which personal IDs can be bound, separated by commas.',
  ),
  ATOLL_SMTP_URL: secret(
    z
      .url({
        protocol: /^smtps?$/,
        error: 'must look like smtp://user:password@host:587 or smtps://user:password@host:465',
      })
      .optional(),
    'Mail server. smtp:// insists on STARTTLS unless the server is this machine, smtps:// is encrypted from the start.',
    'none, mails are kept as files in the folder outbox of the data folder; /outbox shows them where the server runs embedded on one machine',
  ),
  ATOLL_SMTP_CA_FILE: setting(
    z.string().min(1).optional(),
    undefined,
    'Certificate of an authority to trust for the mail server besides the well-known ones, PEM.',
    'none',
  ),
  ATOLL_MAIL_FROM: setting(
    z.email('must be an address such as no-reply@atoll.example').optional(),
    undefined,
    'Address that mails come from.',
    'no-reply at the host of ATOLL_PUBLIC_URL',
  ),
  ATOLL_CATALOG: setting(z.string().min(1), 'catalog.yaml', 'File that says what is sold.'),
  ATOLL_SESSION_DAYS: setting(z.coerce.number().positive().max(3650), '7', 'How long a sign-in lasts, days.'),
  ATOLL_REQUIRE_MATCH_NUMBER: setting(
    Yes,
    'false',
    'Whether every wallet must send the two digits shown beside the sign-in code; wallets that know nothing of them are then refused.',
  ),
  ATOLL_CAN_CREATE_CLUSTER: setting(Yes, 'true', 'Whether new accounts may create clusters.'),
  ATOLL_VCPU_QUOTA: setting(z.coerce.number().int().min(0).max(1_000_000), '16', 'vCPU that a new account may use.'),
  ATOLL_SELF_HOST_CLUSTERS: setting(
    z.coerce.number().int().min(0).max(1_000_000),
    '20',
    'Self-hosted clusters that an account may have at a time.',
  ),
  ATOLL_WORKER_CONCURRENCY: setting(z.coerce.number().int().min(1).max(200), '10', 'Jobs a worker runs at a time.'),
  ATOLL_STRAY_DAYS: setting(
    z.coerce.number().min(1).max(3650),
    '7',
    'An instance that no row of the database names is stopped, and destroyed after so long, days.',
  ),
  ATOLL_DATABASE_POOL: setting(
    z.coerce.number().int().min(2).max(500),
    '20',
    'Database connections of this process for requests and jobs.',
  ),
  ATOLL_TRUST_PROXY: setting(
    z.coerce.number().int().min(0).max(10),
    '0',
    'Proxies in front whose X-Forwarded-For is believed.',
  ),
  ATOLL_EDGE_VISITOR_REQUESTS: setting(
    z.coerce.number().int().min(1).max(100_000),
    '200',
    'Requests and WebSockets that one visitor may have under way at one cluster; of IPv6, a network of /64 is one visitor.',
  ),
  ATOLL_EDGE_BODY_RATE: setting(
    z.coerce.number().int().min(0).max(1_000_000),
    '500',
    'Bytes a second that must arrive of an upload to a cluster over each half minute; 0: any rate will do.',
  ),
  ATOLL_SIGN_IN_RATE: setting(
    z.coerce.number().int().min(1).max(1_000_000),
    '600',
    'Sign-in and enrol requests per minute from one address.',
  ),
  ATOLL_METRICS_TOKEN: secret(
    z.string().min(16, 'must have at least 16 characters').optional(),
    'Bearer token that /metrics asks for.',
    'none, /metrics of an api then answers only on a deployment whose address is loopback, past any proxy',
  ),
  ATOLL_SHUTDOWN_SECONDS: setting(
    z.coerce.number().int().min(1).max(600),
    '20',
    'After this long a stop no longer waits for work under way.',
  ),
  ATOLL_LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'How much is logged.',
  ),
} as const

type Settings = typeof settings
/** Each setting as its own check read it. */
export type SettingValues = { [Name in keyof Settings]: z.output<Settings[Name]['schema']> }

/** Names in `env` that look like settings of ours and are none: most likely misspelt. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const ours = (name: string) => name.startsWith('ATOLL_') && !/^ATOLL_(AGENT|TEST|NO_SKIP)/.test(name)
  const known = new Set(
    Object.entries(settings).flatMap(([name, { isSecret }]: [string, Setting<z.ZodType>]) => [
      name,
      ...(isSecret ? [`${name}_FILE`] : []),
    ]),
  )
  return Object.keys(env).filter((name) => ours(name) && !known.has(name))
}

/** What `--help` prints. */
export function settingsHelp(): string {
  const lines = Object.entries(settings).map(([name, entry]: [string, Setting<z.ZodType>]) => {
    const { fallback, fallbackText, text, isSecret } = entry
    const shown = fallbackText ?? fallback
    const file = isSecret ? ` Or ${name}_FILE, a file that holds it.` : ''
    return `  ${name}\n      ${text}${file}${shown === undefined ? '' : ` Default: ${shown}.`}`
  })
  return [
    'Usage: npm start [-- --roles api,worker,edge]',
    '       npm start -- migrate    brings the database up to date and ends',
    '       npm start -- --help     prints this and ends',
    '',
    'npm run admin (accounts, strays), npm run audit:verify and npm run catalog:check read the same settings.',
    '',
    'The console describes its API at /openapi.json (OpenAPI 3.1).',
    '',
    'Settings, from the environment:',
    ...lines,
    '',
  ].join('\n')
}
