/**
 * Carries one request to its instance and the answer back. Done on node:http and not with httpxy: that has no place to
 * count bodies (it pipes them itself), appends to a visitor's X-Forwarded-For instead of replacing it, and does not
 * let an instance's early refusal (507 before the body) through while the visitor still sends.
 *
 * Streams both ways with back pressure. A visitor that goes away ends the instance's request, an instance that breaks
 * off ends the visitor's connection: half an answer must look like one.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline, type Transform } from 'node:stream'
import type { Throttle } from '../limits/bandwidth.ts'
import { type BodyRate, watchBody } from '../limits/body-rate.ts'
import type { Traffic } from '../traffic/traffic-store.ts'
import { announcedTrailers, headersForInstance, headersForVisitor, passedTrailers } from './forwarded-headers.ts'
import { passInterim } from './interim-answers.ts'

/** An instance is in the same network: it accepts at once or is not there. ms */
const connectMs = 5000
/** Once the answer has begun, while nothing of it moves (server-sent events, long polls). ms */
const idleMs = 600_000
/** A kept connection that the other side has just closed, or a line that has just been cut, shows so soon. ms */
const promptMs = 5000
/** How long the rest of a body is read that has nowhere to go: cut while they send, visitors lose the answer. ms */
const discardMs = 30_000

/** Where a request goes: over TCP to `host` and `port`, or over a connection that `agent` makes of its own. */
export interface Upstream {
  host: string
  port: number
  /** Makes connections, and keeps them for further requests. */
  agent: http.Agent
  /** Of a line that may be cut at any moment and is soon there again: whether it has been. */
  isCut?: () => boolean
  /** For the next hop alone, such as the proof that an edge sends it. */
  headers?: Record<string, string>
}

export interface ForwardOptions {
  upstream: Upstream
  /** The name of the cluster that answers, beyond which it sets no cookies. */
  clusterHost: string
  trustedProxies: number
  count(direction: keyof Traffic, bytes: number): void
  /** Whether this is a page of another edge in place of the instance's answer: it is not counted. */
  isOurPage(answer: IncomingMessage): boolean
  /** Throttles each direction; undefined: no limit. */
  throttle?: Throttle
}

export interface RequestOptions extends ForwardOptions {
  bodyRate: BodyRate
  /** How long the answer may take to begin while nothing moves. */
  answerMs: number
}

/**
 * Resolves with `answered` when the exchange is over, however it ended; with `tooSlow` when the body did not keep to
 * its rate, with `unanswered` when the instance could not
 * be asked and nothing was sent to the visitor: in both the caller answers. `mayRetry`: nothing of a body is lost and
 * the connection failed, not the instance, so the same request may be forwarded again: one that is slow to answer is
 * never asked twice.
 */
export function forwardRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { upstream: { host, port, agent, isCut, headers }, bodyRate, answerMs, ...options }: RequestOptions,
): Promise<
  { outcome: 'answered' } | { outcome: 'tooSlow' } | { outcome: 'unanswered'; error: Error; mayRetry: boolean }
> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof forwardRequest>>>()
  // The visitor left while their route was looked up.
  if (res.destroyed) return Promise.resolve({ outcome: 'answered' })
  const { clusterHost, trustedProxies, count, isOurPage, throttle } = options
  const hasBody = req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined
  const upstream = http.request({
    host,
    port,
    method: req.method ?? 'GET',
    path: req.url ?? '/',
    headers: { ...headersForInstance(req, trustedProxies), ...headers },
    setHost: false,
    agent,
  })
  /** The throttle that the body passes on its way to the instance. */
  const held = hasBody ? throttle?.(lengthOf(req)) : undefined
  const bodyTo = held ?? upstream
  let stopWatching: (() => void) | undefined
  const countIn = (chunk: Buffer) => count('in', chunk.length)
  const askedAt = performance.now()
  let isLate = false

  upstream.setTimeout(answerMs, () => {
    isLate = true
    upstream.destroy(new Error('the instance did not answer in time'))
  })
  upstream.once('socket', (socket) => {
    if (!socket.connecting) return
    const timer = setTimeout(() => upstream.destroy(new Error('the instance did not accept in time')), connectMs)
    socket.once('connect', () => clearTimeout(timer))
    socket.once('close', () => clearTimeout(timer))
  })
  passInterim(upstream, req, res, {
    onContinue() {
      stopWatching ??= watchBody(req, bodyTo, bodyRate, endSlow)
    },
    onTooMany: () => misled('interim answers without end'),
  })
  upstream.on('error', (error) => {
    stopSending()
    if (!res.headersSent && !res.destroyed) {
      const isStale = upstream.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      const isRefused = 'code' in error && error.code === 'ECONNREFUSED'
      const isPrompt = performance.now() - askedAt < promptMs
      const isConnections = isRefused || isCut?.() === true || (isPrompt && (isStale || isCut !== undefined))
      resolve({
        outcome: 'unanswered',
        error,
        mayRetry: !hasBody && isIdempotent(req) && !isLate && isConnections,
      })
    } else if (!res.writableEnded) {
      res.destroy()
    }
  })
  // Switched to what nobody asked for: Node would let go of the connection and say nothing.
  upstream.once('upgrade', (_answer, socket) => {
    socket.destroy()
    misled('a 101 that was not asked for')
  })
  upstream.on('response', (answer) => {
    // The visitor left in this very moment; a pipeline to them would throw.
    if (res.destroyed) return void upstream.destroy()
    // Node reads a status that it refuses to write (RFC 9110, 15: there is none below 100).
    const { statusCode: status = 0 } = answer
    if (status < 200) return misled(`a status of ${status}`)
    upstream.setTimeout(idleMs)
    if (!isOurPage(answer)) answer.on('data', (chunk: Buffer) => count('out', chunk.length))
    // The reason is ours: it may hold characters that cannot be written, and nobody reads it (RFC 9112, 4).
    const isBodiless = hasNoBody(req, status)
    const announced = req.httpVersion === '1.0' || isBodiless ? {} : announcedTrailers(answer)
    res.writeHead(status, { ...headersForVisitor(answer.headers, clusterHost), ...announced })
    // Before the pipeline, which ends the answer at the same event.
    answer.once('end', () => res.addTrailers(passedTrailers(answer)))
    const length = isBodiless ? 0 : lengthOf(answer)
    pipeline([answer, ...stagesOf(throttle, length), res], () => resolve({ outcome: 'answered' }))
  })
  res.once('close', () => {
    if (!res.writableFinished) upstream.destroy()
    resolve({ outcome: 'answered' })
  })

  /** The instance answered what no visitor can be given: nothing else of it is believed. */
  function misled(by: string): void {
    upstream.destroy()
    stopSending()
    resolve({ outcome: 'unanswered', error: new Error(`the instance answered with ${by}`), mayRetry: false })
  }

  /** Also after the answer: while the body is not whole, the connection to the instance is held. */
  function endSlow(): void {
    upstream.destroy()
    if (res.headersSent) req.destroy()
    else resolve({ outcome: 'tooSlow' })
  }

  function stopSending(): void {
    stopWatching?.()
    if (req.complete) return
    req.unpipe(bodyTo)
    held?.destroy()
    req.off('data', countIn)
    discardBody(req)
  }

  if (hasBody) {
    req.on('data', countIn)
    req.on('error', () => upstream.destroy()) // the visitor went away
    req.once('end', () => upstream.addTrailers(passedTrailers(req)))
    req.pipe(bodyTo)
    held?.pipe(upstream)
    upstream.once('close', () => held?.destroy())
    // One that asked whether it may send has until then nothing to send.
    if (!req.headers.expect) stopWatching = watchBody(req, bodyTo, bodyRate, endSlow)
  } else {
    upstream.end()
  }
  return promise
}

/** `length`: of the whole body, where it is known. */
export function stagesOf(throttle: Throttle, length?: number): Transform[] {
  return [throttle?.(length) ?? []].flat()
}

/** Of the body that comes, as Node's parser holds it to; undefined: it is unknown. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  return headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
}

/** Whatever its headers say (RFC 9110, 6.4.1). */
function hasNoBody(req: IncomingMessage, status: number): boolean {
  return req.method === 'HEAD' || status === 204 || status === 304
}

/** Reads what is left of `req`'s body, for a while, and forgets it. */
export function discardBody(req: IncomingMessage): void {
  if (req.complete) return
  const timer = setTimeout(() => req.destroy(), discardMs)
  req.once('close', () => clearTimeout(timer))
  req.resume()
}

function isIdempotent(req: IncomingMessage): boolean {
  return req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS'
}
