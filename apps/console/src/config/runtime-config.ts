/** Facts decided when the server starts: product, wallet, hosts. Read once, before the first paint. */
import { RuntimeConfig, runtimeConfigName } from '@atoll/contract/identity'
import type { Locale } from '@atoll/contract/wire'

let current: RuntimeConfig | undefined
/** Server's clock minus this device's, ms. */
let clockOffsetMs = 0
/**
 * This device's clock minus the time since the page was opened, ms: it changes when the clock is set, or the device
 * slept.
 */
let clockStartMs = 0
const measureClockStart = () => Date.now() - performance.now()

/**
 * Reads what the server wrote into the page, or `/config.json` where nothing is there; throws when the server does not
 * answer or answers something else.
 */
export async function loadRuntimeConfig(): Promise<RuntimeConfig> {
  const written = readPageConfig()
  if (written) {
    current = written.config
    clockStartMs = measureClockStart()
    clockOffsetMs = current.now - written.receivedAt
    return current
  }
  const asked = Date.now()
  const response = await fetch('/config.json', { cache: 'no-store' })
  if (!response.ok) throw new Error(`config.json: HTTP ${response.status}`)
  current = RuntimeConfig.parse(await response.json())
  // The server read its clock somewhere between asking and now.
  clockStartMs = measureClockStart()
  clockOffsetMs = current.now - (asked + Date.now()) / 2
  return current
}

/**
 * Undefined too for a page that a step of the history brought back as it was: the server's clock in it stands still.
 */
function readPageConfig(): { config: RuntimeConfig; receivedAt: number } | undefined {
  const text = document.querySelector(`meta[name="${runtimeConfigName}"]`)?.getAttribute('content')
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[] // what this type names
  if (!text || !page || page.type === 'back_forward') return undefined
  return { config: RuntimeConfig.parse(JSON.parse(text)), receivedAt: measureClockStart() + page.responseStart }
}

/** The configuration; the page is drawn only after it was read. */
export function runtimeConfig(): RuntimeConfig {
  if (!current) throw new Error('the runtime configuration is read before the first paint')
  return current
}

/** A clock that moved by less was not set, ms: the `Date` header has whole seconds. */
const clockNoiseMs = 2000

/** Now by the server's clock, ms. A device whose clock is wrong still shows the right time left. */
export function serverNow(): number {
  return Date.now() + clockOffsetMs
}

/** A time of the server, ms, as this device's clock says it. */
export function toDeviceTime(serverMs: number): number {
  return serverMs - clockOffsetMs
}

/**
 * Compares the clocks again by the `Date` header of an answer to what was asked at `askedAt`, this device's time in
 * ms, when this device's clock was set since.
 */
export function noteServerTime(date: string | null, askedAt: number): void {
  if (Math.abs(measureClockStart() - clockStartMs) < clockNoiseMs) return
  const serverMs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(serverMs)) return
  clockStartMs = measureClockStart()
  // The server read its clock at some moment between asking and now.
  clockOffsetMs = serverMs - (askedAt + Date.now()) / 2
}

/** The product API for readers of `locale`: Chinese readers use the China host (spec §7). */
export function apiHost(locale: Locale): string {
  const { hosts } = runtimeConfig()
  return (locale === 'zh-CN' ? hosts.china : hosts.global).replace(/\/+$/, '')
}

/**
 * The base of call addresses. A deployment with one host is called at the page's own origin, so that it works under
 * every name it is opened by.
 */
export function apiBase(locale: Locale): string {
  const { hosts } = runtimeConfig()
  return hosts.global === hosts.china ? '' : apiHost(locale)
}
