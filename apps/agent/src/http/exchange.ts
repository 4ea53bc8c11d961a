/** One request and its answer, and the few things every route does with them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkOf, visitorBits } from '@atoll/contract/network-of'
import type { z } from 'zod'
import { HttpProblem } from '../kernel/problem.ts'

export interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  url: URL
  /** The visitor's network, for limits: of the address that the edge saw, else of the connection's. */
  visitor: string
}

/** Largest JSON body, bytes. */
const bodyLimit = 64 * 1024

/** Reads a JSON body of `shape`; 413 tooLarge, 400 badParameter naming the field. */
export async function readBody<T extends z.ZodType>(req: IncomingMessage, shape: T): Promise<z.output<T>> {
  const json = await readJson(req)
  const { readFields } = await import('@atoll/texts/read-fields')
  const read = readFields(shape, json, 'en-US')
  if ('data' in read) return read.data
  const { errorMessage } = await import('@atoll/texts/refusals')
  throw new HttpProblem(400, 'badParameter', errorMessage(read.fault.key, 'en-US', read.fault.params))
}

export async function readJson(req: IncomingMessage): Promise<unknown> {
  // A form of another site cannot send this type without asking first, so it is one more wall against forgery.
  if (!/^application\/json\b/i.test(req.headers['content-type'] ?? ''))
    throw new HttpProblem(400, 'badParameter', 'content-type: must be application/json')
  try {
    return JSON.parse(await readText(req))
  } catch (error) {
    if (error instanceof HttpProblem) throw error
    throw new HttpProblem(400, 'badParameter', 'body: is not JSON in UTF-8')
  }
}

/** A body of text; 413 tooLarge, 400 badParameter for what is no UTF-8. */
export async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  // Not destroyed on refusal: the connection would go with it, and the answer.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyLimit) throw new HttpProblem(413, 'tooLarge', `The request is larger than ${bodyLimit} bytes.`)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new HttpProblem(400, 'badParameter', 'body: is not text in UTF-8')
  }
}

/** The query parameter `name`, once; 400 badParameter without it, and for bytes that are no UTF-8. */
export function getQuery(url: URL, name: string): string {
  const [value, ...more] = url.searchParams.getAll(name)
  if (value === undefined || more.length > 0) throw new HttpProblem(400, 'badParameter', `${name}: is needed, once`)
  // Undecodable bytes have become this character, which a name may also hold by right.
  if (value.includes('\uFFFD') && !isDecodable(url.search))
    throw new HttpProblem(400, 'badParameter', `${name}: is not valid UTF-8`)
  return value
}

/** How many entries come before the page that is asked for; 400 badParameter for what is no number from 0. */
export function readOffset(url: URL): number {
  const offset = Number(url.searchParams.get('offset') ?? 0)
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new HttpProblem(400, 'badParameter', 'offset: must be a whole number from 0')
  return offset
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Tells a visitor that asked before it sends to go on. Called once a request; one of HTTP/1.0 knows no such answer
 * (RFC 9110, 10.1.1), and who did not ask would take it for the answer.
 */
export function letSend(req: IncomingMessage, res: ServerResponse): void {
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') res.writeContinue()
}

export function sendJson(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  res.end(text)
}

export function sendNothing(res: ServerResponse): void {
  res.writeHead(204, { 'cache-control': 'no-store' })
  res.end()
}

/** Of a connection that is gone already. */
export const unknownVisitor = 'unknown'

/** Connections on which nobody but the visitor speaks, whatever network they come from. */
const strangers = new WeakSet<object>()

export function distrust(connection: object): void {
  strangers.add(connection)
}

/**
 * The network of the visitor behind `req`. The edge drops what a visitor claims and writes one address into
 * X-Forwarded-For, so the last entry is true when the connection comes through it; from elsewhere the connection's own
 * address counts.
 */
export function visitorOf(req: IncomingMessage): string {
  const peer = req.socket.remoteAddress ?? unknownVisitor
  const forwarded = req.headers['x-forwarded-for']
  const last = typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined
  return networkOf(last && isPrivate(peer) && !strangers.has(req.socket) ? last.slice(0, 64) : peer, visitorBits)
}

/** Loopback and private networks: where an edge is. */
function isPrivate(address: string): boolean {
  return /^(::ffff:)?(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)|^::1$|^f[cd]/i.test(address)
}
