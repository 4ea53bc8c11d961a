import type { Device } from './sessions.ts'

type Name = readonly [name: string, pattern: RegExp]

/** First match wins: many browsers also carry the names of those they want to be taken for. */
const browsers: readonly Name[] = [
  ['WeChat', /MicroMessenger\//],
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera|OPiOS)\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Huawei Browser', /HuaweiBrowser\//],
  ['Mi Browser', /MiuiBrowser\//],
  ['QQ Browser', /M?QQBrowser\//],
  ['UC Browser', /UC(Browser|WEB)/],
  ['Vivaldi', /Vivaldi\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?Chrom(e|ium)\/|\bCriOS\//],
  ['Safari', /Version\/[\d.]+ .*Safari\//],
]

const systems: readonly Name[] = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\biPhone\b|\biPod\b/],
  ['HarmonyOS', /HarmonyOS|OpenHarmony/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
]

const programs: readonly Name[] = [
  ['curl', /^curl\//],
  ['Node.js', /^(node|undici)\b/],
  ['Python', /^python-|^Python\//i],
  ['OkHttp', /^okhttp\//],
  ['Dart', /^Dart\//],
  ['Go', /^Go-http-client\//],
]

/**
 * A user agent in names; what it does not say is null. The text itself is kept nowhere: it reveals more than is needed.
 */
export function deviceOf(userAgent: string): Device {
  const find = (table: readonly Name[]) => table.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null
  const system = find(systems)
  const browser = find(browsers)
  if (!browser || !userAgent.startsWith('Mozilla/')) return { kind: 'program', browser: find(programs), system }
  return { kind: kindOf(userAgent, system), browser, system }
}

function kindOf(userAgent: string, system: string | null): Device['kind'] {
  if (system === 'iOS') return 'phone'
  if (system === 'iPadOS') return 'tablet'
  // Android tablets leave the word out.
  if (system === 'Android' || system === 'HarmonyOS') return /\bMobile\b/.test(userAgent) ? 'phone' : 'tablet'
  return 'computer'
}
