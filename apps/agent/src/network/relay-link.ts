/**
 * The endpoint through the relay: dials the edge, and then answers on that connection as an HTTP/2 server. Each CONNECT
 * stream is one visitor's connection, which the personal server gets as if it had been accepted (ADR 0011). Dialled
 * again after any break; a line that went dead without a word is noticed by pings within `relaySilentMs`.
 */
import http, { type IncomingMessage } from 'node:http'
import http2, { type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AgentBoot,
  agentBootHeaders,
  agentRelayPath,
  type MachineRefusal,
  machineRefusalHeader,
  machineRefusals,
  relayPingMs,
  relayProtocol,
  relaySilentMs,
  relayStreamWindow,
} from '@atoll/contract/agents'
import { writeBytes } from '@atoll/contract/relay-stream'
import { backoffMs } from '@atoll/contract/wire'
import { describeError, type Log } from '../kernel/log.ts'
import type { Enrolled } from '../link/enroll.ts'
import type { Endpoint, NetworkReport } from './endpoint.ts'

/** From the dial to the edge's answer. ms */
const dialMs = 8000
/**
 * After a break it is dialled at once, then ever more slowly: an edge that is being replaced is back within seconds.
 * ms
 */
const backoff = { firstMs: 100, longestMs: 4000 }
/** A connection that lasted this long was a good one. ms */
const settledMs = 5000
/** Visitors' connections at a time; an edge keeps to fewer. */
const mostStreams = 4096
/** Of all streams together, bytes; larger than any one's, so that one cannot use it up. */
const connectionWindow = 16 * 1024 * 1024

export interface RelayLinkOptions {
  /** Where the edge is. */
  url: string
  enrolled: Enrolled
  boot: AgentBoot
  /** Takes a visitor's connection. */
  accept(connection: Duplex): void
  report(state: NetworkReport): void
  /** This machine is refused. */
  onRefused(refusal: MachineRefusal): void
  log: Log
}

export function openRelayLink(options: RelayLinkOptions): Endpoint {
  const { log, report } = options
  const closing = new AbortController()
  const ended = { in: 0, out: 0 }
  let current: Socket | undefined
  const whenClosed = keepOpen()

  async function keepOpen(): Promise<void> {
    let failures = 0
    while (!closing.signal.aborted) {
      report({ state: 'connecting', reason: null })
      const dialledAt = performance.now()
      const reason = await connectOnce()
      if (closing.signal.aborted) return
      failures = performance.now() - dialledAt > settledMs ? 1 : failures + 1
      const waitMs = backoffMs(failures, backoff)
      log.warn('relay', `not connected (${reason}); next try in ${waitMs} ms`)
      report({ state: 'connecting', reason })
      await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined) // aborted: the loop ends
    }
  }

  /** Resolves with the reason when the connection is over. */
  async function connectOnce(): Promise<string> {
    let socket: Socket
    try {
      socket = await dial(options, closing.signal)
    } catch (error) {
      return describeError(error)
    }
    current = socket
    const reason = await serve(socket, options.accept, closing.signal, () => {
      log.info('relay', `connected to ${options.url}`)
      report({ state: 'connected', reason: null })
    })
    ended.in += socket.bytesRead
    ended.out += socket.bytesWritten
    current = undefined
    return reason
  }

  return {
    traffic: () => ({
      in: ended.in + (current?.bytesRead ?? 0),
      out: ended.out + (current?.bytesWritten ?? 0),
    }),
    async close() {
      closing.abort()
      await whenClosed
    },
  }
}

/** The connection after the edge took it; rejects with the edge's refusal, or when it does not answer. */
async function dial({ url, enrolled, boot, onRefused }: RelayLinkOptions, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const target = new URL(agentRelayPath, url)
  const request = (target.protocol === 'https:' ? https : http).request(target, {
    agent: false,
    headers: {
      connection: 'Upgrade',
      upgrade: relayProtocol,
      authorization: `Bearer ${enrolled.instanceId}.${enrolled.token}`,
      ...agentBootHeaders.write(boot),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(dialMs)]),
  })
  request.once('upgrade', (_answer: IncomingMessage, socket: Socket, head: Buffer) => {
    if (head.length > 0) socket.unshift(head)
    socket.setNoDelay(true)
    resolve(socket)
  })
  request.once('response', (answer) => {
    const refusal = machineRefusals.find((known) => known === answer.headers[machineRefusalHeader])
    if (refusal) onRefused(refusal)
    reject(new Error(`the edge answered ${answer.statusCode}`))
    request.destroy()
  })
  request.on('error', reject)
  request.end()
  return await promise
}

/** Serves one connection; resolves with the reason when it is over. */
async function serve(
  socket: Socket,
  accept: (connection: Duplex) => void,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<string> {
  const over = Promise.withResolvers<string>()
  const session: ServerHttp2Session = http2.performServerHandshake(socket, {
    settings: { initialWindowSize: relayStreamWindow, maxConcurrentStreams: mostStreams },
    maxSessionMemory: 256,
  })
  session.setLocalWindowSize(connectionWindow)
  session.on('error', (error) => end(describeError(error)))
  session.on('close', () => end('closed by the edge'))
  socket.once('end', () => end('closed by the edge'))
  socket.once('close', () => end('the connection broke'))
  session.on('stream', (stream, headers) => {
    if (headers[':method'] === 'CONNECT') take(stream, accept)
    else stream.respond({ ':status': 405, allow: 'CONNECT' }, { endStream: true })
  })
  session.once('remoteSettings', onOpen)
  const onAbort = () => end('stopping')
  signal.addEventListener('abort', onAbort, { once: true })

  // Whatever arrives is a sign of life: while a line is busy, a ping is a long time behind the rest.
  let receivedBytes = -1
  let receivedAt = performance.now()
  const watch = setInterval(() => {
    if (socket.bytesRead !== receivedBytes) {
      receivedBytes = socket.bytesRead
      receivedAt = performance.now()
    } else if (performance.now() - receivedAt > relaySilentMs) {
      return end('the edge fell silent')
    }
    if (!session.destroyed) session.ping(() => undefined) // its answer is among the bytes that are watched
  }, relayPingMs)

  let isOver = false
  function end(reason: string): void {
    if (isOver) return
    isOver = true
    clearInterval(watch)
    signal.removeEventListener('abort', onAbort)
    session.destroy()
    socket.destroy()
    over.resolve(reason)
  }

  return await over.promise
}

/** Hands a visitor's connection on; the edge, on this machine's behalf, says who the visitor is. */
function take(stream: ServerHttp2Stream, accept: (connection: Duplex) => void): void {
  stream.on('error', () => undefined) // the visitor went away, or the line broke; the reader gets 'close'
  stream.respond({ ':status': 200 })
  Object.defineProperty(stream, 'remoteAddress', { value: '127.0.0.1' })
  writeBytes(stream)
  accept(stream)
}
