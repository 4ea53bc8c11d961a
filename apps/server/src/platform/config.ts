/**
 * Every setting of the server in one table: name, default, check, and the line `--help` prints. Settings come from the
 * environment; a malformed one stops the start with its name and what is wrong.
 */
import { resolve } from 'node:path'
import { selfHostSilenceMs } from '@atoll/contract'
import { z } from 'zod'
import { OperatorError } from './operator-error.ts'

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
}

function setting<T extends z.ZodType>(
  schema: T,
  fallback: string | undefined,
  text: string,
  fallbackText?: string,
): Setting<T> {
  return { schema, fallback, text, ...(fallbackText !== undefined && { fallbackText }) }
}

export const settings = {
  ATOLL_DATA_DIR: setting(z.string().min(1), '.data', 'Folder for everything this deployment keeps on this machine.'),
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
  ATOLL_FRPS_TOKEN: setting(z.string().min(1).max(400).optional(), undefined, 'auth.token of your frps.', 'none'),
  ATOLL_SELF_HOST_SILENCE_SECONDS: setting(
    z.coerce.number().int().min(2).max(3600),
    String(selfHostSilenceMs / 1000),
    'A self-hosted machine that has not reported for so long is offline, seconds.',
  ),
  ATOLL_CHINA_URL: setting(HttpUrl.optional(), undefined, 'API address for Chinese readers.', 'ATOLL_PUBLIC_URL'),
  ATOLL_CONTROL_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which agents reach the API.',
    'http://127.0.0.1:ATOLL_PORT',
  ),
  DATABASE_URL: setting(
    // Not z.url(): libpq's form with a socket folder, postgresql://user@/name?host=/folder, is no URL to it.
    z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, 'must start with postgres:// or postgresql://')
      .optional(),
    undefined,
    'PostgreSQL 15 or newer to use.',
    'an embedded server in the data folder',
  ),
  ATOLL_SECRET_KEY: setting(
    z.string().min(32, 'must have at least 32 characters').optional(),
    undefined,
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
  ATOLL_SMTP_URL: setting(
    z
      .url({
        protocol: /^smtps?$/,
        error: 'must look like smtp://user:password@host:587 or smtps://user:password@host:465',
      })
      .optional(),
    undefined,
    'Mail server. smtp:// insists on STARTTLS unless the server is this machine, smtps:// is encrypted from the start.',
    'none, mails are kept as files in the folder outbox of the data folder',
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
  ATOLL_WORKER_CONCURRENCY: setting(z.coerce.number().int().min(1).max(200), '10', 'Jobs a worker runs at a time.'),
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
  ATOLL_SIGN_IN_RATE: setting(
    z.coerce.number().int().min(1).max(1_000_000),
    '600',
    'Sign-in and enrol requests per minute from one address.',
  ),
  ATOLL_METRICS_TOKEN: setting(
    z.string().min(16, 'must have at least 16 characters').optional(),
    undefined,
    'Bearer token that /metrics asks for.',
    'none, /metrics is open',
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
type Values = { [Name in keyof Settings]: z.output<Settings[Name]['schema']> }

export interface Frps {
  host: string
  port: number
  token: string | undefined
  /** Where visitors reach the machine with this label. */
  clusterUrl(label: string): string
}

/** The server's configuration, parsed; addresses without a trailing slash. */
export interface Config {
  /** Absolute. */
  dataDir: string
  host: string
  port: number
  walletPort: number
  edgePort: number
  edgeDomain: string
  publicUrl: string
  walletUrl: string
  chinaUrl: string
  controlUrl: string
  /** Undefined: where the edge listens. */
  edgePeerUrl: string | undefined
  /** Where self-hosted machines reach the API. */
  enrollUrl: string
  /** Where self-hosted machines dial the edge. */
  relayUrl: string
  /** The operator's frps; undefined: our own relay carries what `reverseProxy: frp` asks for. */
  frps: Frps | undefined
  selfHostSilenceMs: number
  /** Undefined: the embedded server. */
  databaseUrl: string | undefined
  secretKey: string | undefined
  roles: readonly Role[]
  product: string
  walletName: string
  nameDomains: readonly string[]
  /** Undefined: mails are kept in the data folder. */
  smtpUrl: string | undefined
  /** Absolute. */
  smtpCaFile: string | undefined
  /** With the product's name: `"Atoll" <no-reply@atoll.example>`. */
  mailFrom: string
  /** Absolute. */
  catalogFile: string
  sessionMs: number
  requireMatchNumber: boolean
  canCreateCluster: boolean
  vCpuQuota: number
  workerConcurrency: number
  databasePool: number
  trustProxy: number
  signInRatePerMinute: number
  metricsToken: string | undefined
  shutdownMs: number
  logLevel: Values['ATOLL_LOG_LEVEL']
  /** Where visitors reach the cluster with this label, such as `http://reef.atoll.localhost:4802`. */
  clusterUrl(label: string): string
}

/** Settings that cannot be used; `message` names each with what is wrong, one a line. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError'
}

/** Reads the settings from `env`; relative folders are resolved against `root`. Empty values count as not set. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, root: string): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema, fallback }] of Object.entries(settings)) {
    const parsed = schema.safeParse(env[name] || fallback)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  // Every name was parsed by its own schema above.
  return toConfig(values as Values, root)
}

/** Names in `env` that look like settings of ours and are none: most likely misspelt. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const ours = (name: string) => name.startsWith('ATOLL_') && !/^ATOLL_(AGENT|TEST|NO_SKIP)/.test(name)
  return Object.keys(env).filter((name) => ours(name) && !(name in settings))
}

function toConfig(values: Values, root: string): Config {
  const publicUrl = values.ATOLL_PUBLIC_URL ?? `http://localhost:${values.ATOLL_PORT}`
  const enrollUrl = values.ATOLL_ENROLL_URL ?? publicUrl
  const edge = new URL(values.ATOLL_EDGE_URL ?? `http://${values.ATOLL_EDGE_DOMAIN}:${values.ATOLL_EDGE_PORT}`)
  return {
    dataDir: resolve(root, values.ATOLL_DATA_DIR),
    host: values.ATOLL_HOST,
    port: values.ATOLL_PORT,
    walletPort: values.ATOLL_WALLET_PORT,
    edgePort: values.ATOLL_EDGE_PORT,
    edgeDomain: values.ATOLL_EDGE_DOMAIN,
    publicUrl,
    walletUrl: values.ATOLL_WALLET_URL ?? `http://localhost:${values.ATOLL_WALLET_PORT}`,
    edgePeerUrl: values.ATOLL_EDGE_PEER_URL,
    enrollUrl,
    relayUrl: values.ATOLL_RELAY_URL ?? values.ATOLL_EDGE_URL ?? relayBeside(enrollUrl, values.ATOLL_EDGE_PORT),
    frps: toFrps(values),
    selfHostSilenceMs: values.ATOLL_SELF_HOST_SILENCE_SECONDS * 1000,
    chinaUrl: values.ATOLL_CHINA_URL ?? publicUrl,
    controlUrl: values.ATOLL_CONTROL_URL ?? `http://127.0.0.1:${values.ATOLL_PORT}`,
    databaseUrl: values.DATABASE_URL,
    secretKey: values.ATOLL_SECRET_KEY,
    roles: values.ATOLL_ROLES,
    product: values.ATOLL_PRODUCT,
    walletName: values.ATOLL_WALLET_NAME,
    nameDomains: values.ATOLL_NAME_DOMAINS,
    smtpUrl: values.ATOLL_SMTP_URL,
    smtpCaFile: values.ATOLL_SMTP_CA_FILE && resolve(root, values.ATOLL_SMTP_CA_FILE),
    mailFrom: mailFromOf(values.ATOLL_PRODUCT, values.ATOLL_MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`),
    catalogFile: resolve(root, values.ATOLL_CATALOG),
    sessionMs: values.ATOLL_SESSION_DAYS * 24 * 60 * 60 * 1000,
    requireMatchNumber: values.ATOLL_REQUIRE_MATCH_NUMBER,
    canCreateCluster: values.ATOLL_CAN_CREATE_CLUSTER,
    vCpuQuota: values.ATOLL_VCPU_QUOTA,
    workerConcurrency: values.ATOLL_WORKER_CONCURRENCY,
    databasePool: values.ATOLL_DATABASE_POOL,
    trustProxy: values.ATOLL_TRUST_PROXY,
    signInRatePerMinute: values.ATOLL_SIGN_IN_RATE,
    metricsToken: values.ATOLL_METRICS_TOKEN,
    shutdownMs: values.ATOLL_SHUTDOWN_SECONDS * 1000,
    logLevel: values.ATOLL_LOG_LEVEL,
    clusterUrl: (label) => `${edge.protocol}//${label}.${edge.host}`,
  }
}

/** A header's text: the name quoted, with what a quoted name cannot hold left out. */
function mailFromOf(product: string, address: string): string {
  return `"${product.replace(/[\p{Cc}"\\]/gu, '')}" <${address}>`
}

/** Without a setting: machines find the edge on the host where they find the API. */
function relayBeside(enrollUrl: string, edgePort: number): string {
  return `http://${new URL(enrollUrl).hostname}:${edgePort}`
}

function toFrps({ ATOLL_FRPS_ADDR: address, ATOLL_FRPS_URL: url, ATOLL_FRPS_TOKEN: token }: Values): Frps | undefined {
  if (address === undefined && url === undefined) return undefined
  if (address === undefined || url === undefined)
    throw new ConfigError('ATOLL_FRPS_ADDR and ATOLL_FRPS_URL: one is of no use without the other')
  const visitors = new URL(url)
  return {
    host: address.slice(0, address.lastIndexOf(':')),
    port: Number(address.slice(address.lastIndexOf(':') + 1)),
    token,
    clusterUrl: (label) => `${visitors.protocol}//${label}.${visitors.host}`,
  }
}

/** What `--help` prints. */
export function settingsHelp(): string {
  const lines = Object.entries(settings).map(([name, { fallback, fallbackText, text }]) => {
    const shown = fallbackText ?? fallback
    return `  ${name}\n      ${text}${shown === undefined ? '' : ` Default: ${shown}.`}`
  })
  return ['Usage: npm start [-- --roles api,worker,edge]', '', 'Settings, from the environment:', ...lines, ''].join(
    '\n',
  )
}
