/** Settings of where this process listens and how browsers, wallets and proxies reach it. */
import { z } from 'zod'
import { Count, HttpUrl, List, Port, secret, setting, type ValuesOf } from '../platform/settings/setting.ts'

export const httpSettings = {
  ATOLL_HOST: setting(z.string().min(1), '127.0.0.1', 'Address to listen on.'),
  ATOLL_PORT: setting(Port, '4800', 'Port of the console and the API.'),
  ATOLL_WALLET_PORT: setting(Port, '4801', 'Port of the wallet.'),
  ATOLL_PUBLIC_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address of the console as browsers and wallets reach it.',
    'http://localhost:ATOLL_PORT',
  ),
  ATOLL_FORMER_URLS: setting(
    List.pipe(z.array(HttpUrl)).optional(),
    undefined,
    'Earlier addresses of the console: its pages lead from there to ATOLL_PUBLIC_URL, and calls are answered there as before.',
    'none',
  ),
  ATOLL_WALLET_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address of the wallet as browsers reach it.',
    'http://localhost:ATOLL_WALLET_PORT',
  ),
  ATOLL_FORMER_WALLET_URLS: setting(
    List.pipe(z.array(HttpUrl)).optional(),
    undefined,
    'Earlier addresses of the wallet: it goes on working there for each person until they have moved their keys to ATOLL_WALLET_URL.',
    'none',
  ),
  ATOLL_CHINA_URL: setting(HttpUrl.optional(), undefined, 'API address for the Chinese console.', 'ATOLL_PUBLIC_URL'),
  ATOLL_TRUST_PROXY: setting(Count(0, 10), '0', 'Number of proxies in front whose X-Forwarded-For is trusted.'),
  ATOLL_SIGN_IN_RATE: setting(Count(1, 1_000_000), '600', 'Sign-in and enroll requests per minute from one address.'),
  ATOLL_RATE_FACTOR: setting(
    Count(1, 1_000_000),
    '1',
    'Factor for the built-in rate limits of all other calls and endpoints.',
  ),
  ATOLL_METRICS_TOKEN: secret(
    z.string().min(16, 'must have at least 16 characters').optional(),
    'Bearer token that /metrics asks for.',
    'none, /metrics then answers only where ATOLL_HOST is loopback, of an api also its address, past any proxy',
  ),
}

export function httpConfig(values: ValuesOf<typeof httpSettings>) {
  const publicUrl = values.ATOLL_PUBLIC_URL ?? `http://localhost:${values.ATOLL_PORT}`
  return {
    host: values.ATOLL_HOST,
    port: values.ATOLL_PORT,
    walletPort: values.ATOLL_WALLET_PORT,
    publicUrl,
    formerUrls: values.ATOLL_FORMER_URLS ?? [],
    walletUrl: values.ATOLL_WALLET_URL ?? `http://localhost:${values.ATOLL_WALLET_PORT}`,
    formerWalletUrls: values.ATOLL_FORMER_WALLET_URLS ?? [],
    chinaUrl: values.ATOLL_CHINA_URL ?? publicUrl,
    trustProxy: values.ATOLL_TRUST_PROXY,
    signInRatePerMinute: values.ATOLL_SIGN_IN_RATE,
    rateFactor: values.ATOLL_RATE_FACTOR,
    metricsToken: values.ATOLL_METRICS_TOKEN,
  }
}
export type HttpConfig = ReturnType<typeof httpConfig>
