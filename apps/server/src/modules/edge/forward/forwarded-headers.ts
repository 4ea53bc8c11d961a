/** Headers on their way through the edge (RFC 9110, 7.6.1; X-Forwarded-* as everybody writes them). */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Locale } from '@atoll/contract/wire'
import { confineClearing, confineCookies } from './confine-cookies.ts'

/** For one connection only; what `Connection` names is added to them. */
const hopByHop = [
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
/**
 * How long the body is and whose it is: `Connection` cannot name them (RFC 9110, 7.6.1 wants no such thing, but says
 * not what to do about it). Without its length a body would be read by the instance as the next request of the
 * connection, which visitors share.
 */
const framing = ['content-length', 'host']
/**
 * By which edges of one deployment know each other. It starts with x-forwarded-, so that no visitor can set it towards
 * an instance and no instance ever sees it.
 */
export const proofHeader = 'x-forwarded-edge-proof'
/** Headers that only we may send to an instance. */
const ours = /^(forwarded|x-forwarded-.*|x-real-ip|via)$/

/** `headers` without those of this hop. */
export function withoutHopByHop(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const removed = new Set([...hopByHop, ...named.filter((name) => !framing.includes(name))])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !removed.has(name)))
}

/**
 * The headers for the instance in answer to `req`. `Host` stays the visitor's. `trustedProxies`: the number of proxies
 * before this edge that are trusted on the visitor's address and scheme; the visitor's own claims are dropped.
 */
export function headersForInstance(req: IncomingMessage, trustedProxies: number): OutgoingHttpHeaders {
  const headers = Object.fromEntries(Object.entries(withoutHopByHop(req.headers)).filter(([name]) => !ours.test(name)))
  headers['x-forwarded-for'] = visitorAddress(req, trustedProxies)
  headers['x-forwarded-proto'] = visitorScheme(req, trustedProxies)
  headers['x-forwarded-host'] = req.headers.host
  // A body of unknown length: Node frames it itself, for GET only when told to.
  if (req.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked'
  // A program may omit trailers for clients that do not ask for them (RFC 9110, 6.5.1). The visitor's `TE: trailers` is
  // repeated on the next hop, because trailers are passed on.
  const isNamed = /(^|,)\s*te\s*(,|$)/i.test(req.headers.connection ?? '')
  const wantsTrailers = isNamed && /\btrailers\b/i.test(String(req.headers.te))
  if (wantsTrailers) Object.assign(headers, { te: 'trailers', connection: 'keep-alive, te' })
  return { ...headers, ...announcedTrailers(req) }
}

/** The field that announces trailers, where the message has a place for them: one of known length has none. */
export function announcedTrailers({ headers }: Pick<IncomingMessage, 'headers'>): { trailer?: string } {
  const isChunked = headers['transfer-encoding'] !== undefined && headers['content-length'] === undefined
  const names = (headers.trailer ?? '').split(',').map((name) => name.trim().toLowerCase())
  const passed = names.filter((name) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && isTrailer(name))
  return isChunked && passed.length > 0 ? { trailer: passed.join(', ') } : {}
}

/** The trailers of a complete message, without fields that are allowed only in its head. */
export function passedTrailers({ trailers }: Pick<IncomingMessage, 'trailers'>): Record<string, string> {
  // A value that Node does not write would end the process: the body is through by now.
  const isWritable = (value: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  return Object.fromEntries(
    Object.entries(trailers).flatMap(([name, value]) =>
      value !== undefined && isTrailer(name) && isWritable(value) ? [[name, value]] : [],
    ),
  )
}

/** Frames, routes, proves and remembers: none of that comes after a body (RFC 9110, 6.5.1). */
const headOnly =
  /^(content-.*|host|expect|range|if-.*|authorization|cookie|set-cookie|clear-site-data|location|www-authenticate)$/

function isTrailer(name: string): boolean {
  return !hopByHop.includes(name) && !ours.test(name) && !headOnly.test(name)
}

/** The headers for the visitor, from the `headers` that the instance of `clusterHost` answered. */
export function headersForVisitor(headers: IncomingHttpHeaders, clusterHost: string): OutgoingHttpHeaders {
  const { 'set-cookie': cookies, 'clear-site-data': clearing, [proofHeader]: _, ...others } = withoutHopByHop(headers)
  const cleared = clearing === undefined ? undefined : confineClearing(String(clearing))
  return {
    ...others,
    ...(Array.isArray(cookies) && { 'set-cookie': confineCookies(cookies, clusterHost) }),
    ...(cleared !== undefined && { 'clear-site-data': cleared }),
  }
}

/** With n trusted proxies, the n-th address from the right of what they wrote; the ones before it may be made up. */
export function visitorAddress(req: IncomingMessage, trustedProxies: number): string {
  const peer = req.socket.remoteAddress ?? ''
  if (trustedProxies === 0) return peer
  const chain = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  return chain.at(-trustedProxies) ?? chain[0] ?? peer
}

/** Of a trusted proxy its word, if it says one; else how the connection itself is. */
export function visitorScheme(req: IncomingMessage, trustedProxies: number): 'http' | 'https' {
  const said = trustedProxies > 0 ? req.headers['x-forwarded-proto'] : undefined
  if (said !== undefined) return said === 'https' ? 'https' : 'http'
  return 'encrypted' in req.socket ? 'https' : 'http'
}

/** The host that `req` asks for, lower case, without port and final dot; undefined when it names none. */
export function requestedHost(req: Pick<IncomingMessage, 'headers'>): string | undefined {
  const host = req.headers.host?.trim().toLowerCase()
  const [, name, port] = /^([a-z0-9.-]{1,253}?)\.?(?::(\d{1,5}))?$/.exec(host ?? '') ?? []
  return Number(port ?? 0) <= 65_535 ? name : undefined
}

/** In which our own pages are shown. */
export function localeOf(req: IncomingMessage): Locale {
  return /^\s*zh\b/i.test(req.headers['accept-language'] ?? '') ? 'zh-CN' : 'en-US'
}
