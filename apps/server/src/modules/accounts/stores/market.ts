import type { Locale } from '@atoll/contract/wire'
import type { Currency, Zone } from '@atoll/money'

/**
 * The currency an account pays in, and the zone in which its months and days are counted; fixed for good at its first
 * sign-in.
 */
export interface Market {
  currency: Currency
  zone: Zone
}

/**
 * The market of who signs in: China's on the China host or, where one host serves both, from a Chinese page. `host` as
 * the request names it, with its port.
 */
export function marketOf(
  { publicUrl, chinaUrl }: { publicUrl: string; chinaUrl: string },
  { host, locale }: { host: string; locale: Locale },
): Market {
  const china = new URL(chinaUrl).host
  const isChina = china === new URL(publicUrl).host ? locale === 'zh-CN' : host.toLowerCase() === china
  return isChina ? { currency: 'cny', zone: 'UTC+8' } : { currency: 'usd', zone: 'UTC' }
}
