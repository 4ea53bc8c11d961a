/**
 * The configuration of a process, made from its settings: those come from the environment, and a malformed one stops
 * the start with its name and what is wrong.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { OperatorError } from './operator-error.ts'
import { type Role, type SettingValues, settings } from './settings.ts'

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
  /** Absolute; used by root alone, as `instanceDir` is. */
  runDir: string
  instanceDir: string
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
  /** At a time, for each account. */
  selfHostClusters: number
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
  /** How long an instance that no row names is kept, ms. */
  strayMs: number
  databasePool: number
  trustProxy: number
  /** Requests and upgraded connections, each visitor and cluster. */
  edgeVisitorRequests: number
  /** The least that a body at the edge must bring over each window. */
  edgeBodyRate: { bytesPerSecond: number; windowMs: number }
  signInRatePerMinute: number
  metricsToken: string | undefined
  shutdownMs: number
  logLevel: SettingValues['ATOLL_LOG_LEVEL']
  /** Where visitors reach the cluster with this label, such as `http://reef.atoll.localhost:4802`. */
  clusterUrl(label: string): string
}

/** Settings that cannot be used; `message` names each with what is wrong, one a line. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError'
}

/**
 * Reads the settings from `env`, secrets also from the files that `NAME_FILE` names; relative paths are resolved
 * against `root`. Empty values count as not set.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, root: string): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const given = givenFor(name, 'isSecret' in setting)
    if (typeof given === 'object') {
      problems.push(given.problem)
      continue
    }
    const parsed = setting.schema.safeParse(given || setting.fallback)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  // Every name was parsed by its own schema above.
  const parsed = values as SettingValues
  const conflicts = conflictsOf(parsed)
  if (conflicts.length > 0) throw new ConfigError(conflicts.join('\n'))
  return toConfig(parsed, root)

  function givenFor(name: string, isSecret: boolean): string | undefined | { problem: string } {
    const fileName = `${name}_FILE`
    const file = isSecret ? env[fileName] : undefined
    if (!file) return env[name]
    if (env[name]) return { problem: `${fileName}: ${name} is set too; set one of them` }
    try {
      const text = readFileSync(resolve(root, file), 'utf8').trim()
      // A secret that was not filled in must not count as a setting left to its default.
      return text === '' ? { problem: `${fileName}: the file is empty` } : text
    } catch (error) {
      return { problem: `${fileName}: ${error instanceof Error ? error.message : error}` }
    }
  }
}

/** What is wrong with settings that are each right, one sentence each. */
function conflictsOf(values: SettingValues): string[] {
  const conflicts: string[] = []
  const { ATOLL_EDGE_URL: edgeUrl, ATOLL_EDGE_DOMAIN: domain, ATOLL_ROLES: roles } = values
  const edgeHost = edgeUrl && new URL(edgeUrl).hostname
  if (edgeHost !== undefined && edgeHost !== domain)
    conflicts.push(`ATOLL_EDGE_URL: its host is ${edgeHost}, but ATOLL_EDGE_DOMAIN is ${domain}; make them the same`)
  if (roles.includes('worker') && !roles.includes('api') && values.ATOLL_CONTROL_URL === undefined)
    conflicts.push('ATOLL_CONTROL_URL: a worker without api needs it, the address at which agents reach an api')
  return conflicts
}

function toConfig(values: SettingValues, root: string): Config {
  const publicUrl = values.ATOLL_PUBLIC_URL ?? `http://localhost:${values.ATOLL_PORT}`
  const enrollUrl = values.ATOLL_ENROLL_URL ?? publicUrl
  const edge = new URL(values.ATOLL_EDGE_URL ?? `http://${values.ATOLL_EDGE_DOMAIN}:${values.ATOLL_EDGE_PORT}`)
  return {
    dataDir: resolve(root, values.ATOLL_DATA_DIR),
    runDir: resolve(root, values.ATOLL_RUN_DIR),
    instanceDir: resolve(root, values.ATOLL_INSTANCE_DIR),
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
    selfHostClusters: values.ATOLL_SELF_HOST_CLUSTERS,
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
    strayMs: values.ATOLL_STRAY_DAYS * 24 * 60 * 60 * 1000,
    databasePool: values.ATOLL_DATABASE_POOL,
    trustProxy: values.ATOLL_TRUST_PROXY,
    edgeVisitorRequests: values.ATOLL_EDGE_VISITOR_REQUESTS,
    edgeBodyRate: { bytesPerSecond: values.ATOLL_EDGE_BODY_RATE, windowMs: 30_000 },
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

function toFrps({
  ATOLL_FRPS_ADDR: address,
  ATOLL_FRPS_URL: url,
  ATOLL_FRPS_TOKEN: token,
}: SettingValues): Frps | undefined {
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
