/** Pages that the edge answers itself: the font of its pages on every host, and the status on those of the console. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Locale } from '@atoll/contract/wire'
import { fontHeaders, inter } from '../../../http/pages/product-fonts.ts'
import { namesManyHosts } from '../../../http/request/malformed-request.ts'
import { discardBody } from '../forward/forward-request.ts'
import { localeOf, requestedHost } from '../forward/forwarded-headers.ts'
import { fontPath } from './edge-page.ts'

export interface StatusPages {
  /** `url` with its query; undefined: no page of the status. */
  answer(url: string, locale: Locale): { headers: Record<string, string>; body: string | Buffer } | undefined
}

export function createOwnPages(config: { publicUrl?: string; chinaUrl?: string }, status: StatusPages | undefined) {
  const hosts = new Set([config.publicUrl, config.chinaUrl].flatMap((url) => (url ? [new URL(url).hostname] : [])))

  function send(
    req: IncomingMessage,
    res: ServerResponse,
    { headers, body }: { headers: Record<string, string>; body: string | Buffer },
  ): true {
    res.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) })
    res.end(req.method === 'HEAD' ? undefined : body)
    discardBody(req)
    return true
  }

  return {
    /** Also while the cluster answers: its visitor may just have been told that it did not. */
    sendFont(req: IncomingMessage, res: ServerResponse): boolean {
      return req.url === fontPath && send(req, res, { headers: fontHeaders, body: inter.bytes })
    },
    /** Whether the request was for the status, and is answered: also while the console is down. */
    sendStatus(req: IncomingMessage, res: ServerResponse): boolean {
      const { method, url } = req
      if (!url?.startsWith('/status') || (method !== 'GET' && method !== 'HEAD') || namesManyHosts(req)) return false
      if (!hosts.has(requestedHost(req) ?? '')) return false
      const found = status?.answer(url, localeOf(req))
      return found !== undefined && send(req, res, found)
    },
  }
}
