/** Carries a connection that becomes something else (WebSocket) to its instance, then its bytes both ways, counted. */
import http, { type IncomingMessage } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import type { Throttle } from '../limits/bandwidth.ts'
import { type ForwardOptions, stagesOf } from './forward-request.ts'
import { headersForInstance, headersForVisitor } from './forwarded-headers.ts'

/** Whether `req` says that a body follows. No upgrade has one, and what is forwarded is the head alone. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) !== 0 || headers['transfer-encoding'] !== undefined
}

export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/** A connection on which nothing moves either way; WebSocket programs ping more often. ms */
const idleMs = 3600_000
/** ms */
const lingerMs = 10_000

/** `answerMs`: from the visitor's request to the instance's 101, connecting included. */
export interface UpgradeOptions extends ForwardOptions {
  answerMs: number
}

/**
 * Resolves with `answered` once the two are joined, or the instance's refusal was passed on; with `unanswered` when
 * the instance could not be asked and nothing was written to `socket`: the caller answers.
 */
export function forwardUpgrade(
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  {
    upstream: { host, port, agent, headers },
    clusterHost,
    trustedProxies,
    count,
    isOurPage,
    throttle,
    answerMs,
  }: UpgradeOptions,
): Promise<{ outcome: 'answered' } | { outcome: 'unanswered'; error: Error }> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof forwardUpgrade>>>()
  // The visitor left while their route was looked up.
  if (socket.destroyed) return Promise.resolve({ outcome: 'answered' })
  const {
    'content-length': _length,
    'transfer-encoding': _coding,
    te: _trailers,
    ...kept
  } = headersForInstance(req, trustedProxies)
  const upstream = http.request({
    host,
    port,
    method: req.method ?? 'GET',
    path: req.url ?? '/',
    headers: { ...kept, ...headers, connection: 'Upgrade', upgrade: req.headers.upgrade },
    setHost: false,
    // A connection of its own that no other request ever gets: the two sides may disagree on where this request ends.
    createConnection: (options) => agent.createConnection(options),
  })
  // A machine that says 100 or 102 without end is cut by the same clock: none of it is kept or passed on.
  const timer = setTimeout(() => upstream.destroy(new Error('the instance did not answer in time')), answerMs)
  const onVisitorGone = () => upstream.destroy()
  socket.once('close', onVisitorGone)

  upstream.once('upgrade', (answer, instance, instanceHead) => {
    clearTimeout(timer)
    socket.off('close', onVisitorGone)
    // One of the two left in this very moment; a pipeline to them would throw.
    if (socket.destroyed || instance.destroyed) {
      socket.destroy()
      instance.destroy()
      return resolve({ outcome: 'answered' })
    }
    instance.on('error', () => instance.destroy())
    // The two heads are at most what the parsers let through, 16 kB; all else goes through the pipelines.
    socket.write(
      formatHead(answer, clusterHost, { connection: 'Upgrade', upgrade: answer.headers.upgrade ?? 'websocket' }),
      'latin1',
    )
    if (head.length > 0) socket.unshift(head)
    if (instanceHead.length > 0) instance.unshift(instanceHead)
    // Two pipelines listen on a connection that TLS listens on, too; Node would write a line about it.
    socket.setMaxListeners(20)
    join(socket, instance, { count: (bytes) => count('in', bytes), throttle })
    join(instance, socket, { count: (bytes) => count('out', bytes), throttle })
    instance.setTimeout(idleMs, () => instance.destroy())
    resolve({ outcome: 'answered' })
  })
  upstream.once('response', (answer) => {
    clearTimeout(timer)
    if (socket.destroyed) return void upstream.destroy()
    if (!isOurPage(answer)) answer.on('data', (chunk: Buffer) => count('out', chunk.length))
    // Chunks were taken off: the end of the connection is the end of the answer.
    socket.write(formatHead(answer, clusterHost, { connection: 'close' }), 'latin1')
    pipeline([answer, ...stagesOf(throttle), socket], () => {
      upstream.destroy()
      resolve({ outcome: 'answered' })
    })
  })
  upstream.once('error', (error) => {
    clearTimeout(timer)
    resolve({ outcome: 'unanswered', error })
  })
  upstream.end()
  return promise
}

/**
 * Sends `from`'s bytes to `to`; when either breaks, so does the other. No protocol that upgrades
 * makes use of a half-closed connection, so once `from` has ended, `to` gets `lingerMs` to say its last and end too.
 */
function join(
  from: Duplex,
  to: Duplex,
  { count, throttle }: { count: (bytes: number) => void; throttle: Throttle },
): void {
  from.on('data', (chunk: Buffer) => count(chunk.length))
  from.once('end', () => {
    const timer = setTimeout(() => to.destroy(), lingerMs)
    to.once('close', () => clearTimeout(timer))
  })
  // Both are destroyed when one fails; there is nobody left to notify.
  pipeline([from, ...stagesOf(throttle), to], () => undefined)
}

/** Status line and headers of `answer` as text, `extra` over them. */
function formatHead(
  answer: Pick<IncomingMessage, 'statusCode' | 'statusMessage' | 'headers'>,
  clusterHost: string,
  extra: Record<string, string>,
): string {
  const headers = { ...headersForVisitor(answer.headers, clusterHost), ...extra }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}: ${one}`),
  )
  return [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage ?? ''}`, ...lines, '', ''].join('\r\n')
}
