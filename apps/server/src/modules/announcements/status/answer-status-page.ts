/** Answers for `/status` and the paths below it, in each process that serves them, from its own copy of the one row. */
import type { Locale } from '@atoll/contract/wire'
import { fontHeaders, inter } from '../../../http/pages/product-fonts.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker, type Ticker } from '../../../platform/ticker.ts'
import { renderFeed } from './status-feed.ts'
import { renderStatus } from './status-page.ts'
import { findReport, type StatusReport } from './status-store.ts'

export interface StatusAnswer {
  headers: Record<string, string>
  body: string | Buffer
}

export interface StatusAnswers {
  /** Reads the row now and then, until `close`: also while nobody asks, so that there is a copy when it is away. */
  open(): Promise<void>
  /** Reads it once; throws where it cannot, and what is answered then is the last copy. */
  read(): Promise<void>
  /** `url` with its query; undefined: no page of the status. */
  answer(url: string, locale: Locale): StatusAnswer | undefined
  close(): Promise<void>
}

const everyMs = 30_000
/** A report that is older was not made in time, ms. */
const oldMs = 5 * 60_000

export function createStatusAnswers(deps: {
  db: Db
  log: Log
  now(): Date
  product: string
  publicUrl: string
}): StatusAnswers {
  const { db, log, product, publicUrl } = deps
  let copy: StatusReport | undefined
  let isAway = false
  let ticker: Ticker | undefined

  async function read(): Promise<void> {
    try {
      copy = (await findReport(db)) ?? copy
      isAway = false
    } catch (error) {
      isAway = true
      throw error
    }
  }

  return {
    read,
    async open() {
      if (ticker) return
      ticker = startTicker(everyMs, log, 'reading the status', read)
      await read().catch((error: unknown) => log.error({ err: error }, 'the status could not be read'))
    },
    answer(url, preferred) {
      const { pathname, searchParams } = new URL(url, 'http://status')
      const asked = searchParams.get('lang')
      const locale: Locale = asked === 'zh' ? 'zh-CN' : asked === 'en' ? 'en-US' : preferred
      const lang = locale === 'zh-CN' ? 'zh' : 'en'
      const common = { 'cache-control': 'public, max-age=30', 'x-content-type-options': 'nosniff' }
      const headers = { ...common, 'content-language': locale, vary: 'accept-language' }
      if (pathname === `/status/${inter.file}`) return { headers: fontHeaders, body: inter.bytes }
      if (pathname === '/status/feed.xml') {
        const page = new URL(`/status?lang=${lang}`, publicUrl).href
        const type = { 'content-type': 'application/rss+xml; charset=utf-8' }
        return { headers: { ...headers, ...type }, body: renderFeed(copy, { product, locale, page }) }
      }
      if (pathname !== '/status' && pathname !== '/status/') return undefined
      const { body, policy } = renderStatus(copy, {
        product,
        locale,
        isOld: isAway || (copy !== undefined && isOld(copy)),
        links: {
          other: `/status?lang=${lang === 'zh' ? 'en' : 'zh'}`,
          feed: `/status/feed.xml?lang=${lang}`,
          console: publicUrl,
          fonts: '/status',
        },
      })
      const page = { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' }
      return { headers: { ...headers, ...page, 'content-security-policy': policy }, body }
    },
    async close() {
      await ticker?.stop()
      ticker = undefined
    },
  }

  function isOld({ at }: StatusReport): boolean {
    return deps.now().getTime() - Date.parse(at) > oldMs
  }
}
