/** `/config.json`: names, hosts and the server's clock. Asked once at start and again when the network comes back. */
import { RuntimeConfig } from '@atoll/contract/identity'
import { currentLocale } from '../i18n/language.ts'
import { getJson } from './post-json.ts'

let config: RuntimeConfig | undefined
/** Server's clock minus this device's, ms. */
let clockOffset = 0

/** @returns whether a valid answer came; what was known before stays otherwise. */
export async function loadRuntimeConfig(): Promise<boolean> {
  const askedAt = Date.now()
  const answer = await getJson('/config.json')
  const parsed = answer.kind === 'answered' ? RuntimeConfig.safeParse(answer.body).data : undefined
  if (!parsed) return false
  config = parsed
  clockOffset = parsed.now - (askedAt + Date.now()) / 2
  return true
}

/** Product name; the neutral word of the design until the server has answered. */
export function productName(): string {
  return config?.product ?? 'Atoll'
}

/** Name of the wallet app that people have on their phones. */
export function walletAppName(): string {
  return config?.wallet ?? 'LarePass'
}

/** Base address of the identity service for the saved language (spec §7), without a trailing slash. */
export function identityHost(): string {
  const host = currentLocale() === 'zh-CN' ? config?.hosts.china : config?.hosts.global
  return (host ?? '').replace(/\/$/, '')
}

/** Host and port of `identityHost`; empty until the server has answered. */
export function identityHostName(): string {
  const address = identityHost()
  // Safari before 18 has no URL.parse.
  return address === '' ? '' : new URL(address).host
}

/** Origins of the product API of this wallet's deployment; none until the server has answered. */
export function ownOrigins(): string[] {
  return config ? [...new Set([config.hosts.global, config.hosts.china].map((host) => new URL(host).origin))] : []
}

/** Where this deployment's wallet was before, and where it is now. */
function walletOrigins(): { former: readonly string[]; current: string | undefined } {
  const current = config && new URL(config.walletUrl).origin
  const former = (config?.formerWalletUrls ?? []).map((url) => new URL(url).origin)
  // A name that came back is among both.
  return { former: former.filter((origin) => origin !== current), current }
}

/** Where the wallet is now, for a page at one of its former origins. */
export function movedTo(): string | undefined {
  const { former, current } = walletOrigins()
  return former.includes(location.origin) ? current : undefined
}

/** Where the wallet was before, for a page at its present origin. */
export function formerOrigins(): readonly string[] {
  const { former, current } = walletOrigins()
  return location.origin === current ? former : []
}

/** The console's page of domains, on the host of the saved language. */
export function consoleDomainsUrl(): string | undefined {
  const host = currentLocale() === 'zh-CN' ? config?.hosts.china : config?.hosts.global
  return host && new URL('/domains', host).href
}

/** Now, ms, by the server's clock; this device's while the server never answered. */
export function serverNow(): number {
  return Math.round(Date.now() + clockOffset)
}
