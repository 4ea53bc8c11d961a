/**
 * One agent's connection, as this edge holds it: an HTTP/2 session in which the edge is the client (ADR 0011). A
 * visitor's connection to the personal server is one CONNECT stream (RFC 9113, 8.5) that carries HTTP/1.1: requests,
 * upgrades, `100 Continue` and early answers are the same as on a connection of TCP, and each stream has a window of
 * its own, so that a visitor who reads slowly holds up nobody else.
 *
 * It ends when either side closes it, when another one of the same agent takes its place, or when nothing at all was
 * received for `silentMs`: agents ping every `relayPingMs`.
 */
import http2, { type ClientHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { relayPingMs, relaySilentMs, relayStreamWindow } from '@atoll/contract/agents'
import { TunnelAgent } from './tunnel-agent.ts'

export interface RelayConnection {
  id: string
  instanceId: string
  /** Its free and busy tunnels, for `http.request`. */
  agent: TunnelAgent
  /** Ends the connection and notifies at once all that wait on it. */
  end(reason: string): void
  /** Whether the agent said anything; resolves with the first that it says, or when it is over. */
  alive: Promise<boolean>
  /** Resolves with the reason when it is over. */
  over: Promise<string>
}

/** The memory that Node may use for one agent's streams, MiB; past it, new streams of that agent are refused. */
const sessionMemoryMiB = 256

export function openConnection(
  socket: Duplex,
  { id, instanceId }: { id: string; instanceId: string },
): RelayConnection {
  const over = Promise.withResolvers<string>()
  const alive = Promise.withResolvers<boolean>()
  const session: ClientHttp2Session = http2.connect('http://agent.invalid', {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: relayStreamWindow },
    maxSessionMemory: sessionMemoryMiB,
  })
  session.once('remoteSettings', () => alive.resolve(true))
  session.on('connect', () => session.setLocalWindowSize(connectionWindow))
  session.on('error', (error) => end(error.message))
  session.on('goaway', () => end('the agent leaves'))
  session.on('close', () => end('closed'))
  // An HTTP server's connections may be half open; of this one nothing more can come.
  socket.once('end', () => end('closed by the agent'))
  socket.once('close', () => end('the connection broke'))
  const agent = new TunnelAgent(session)

  // Whatever arrives counts: while a line is busy with an upload, a ping is a long time behind it.
  let receivedBytes = 0
  let receivedAt = performance.now()
  const watch = setInterval(() => {
    const { bytesRead } = socket as Socket // a TCP or TLS socket; both count
    if (bytesRead !== receivedBytes) {
      receivedBytes = bytesRead
      receivedAt = performance.now()
    } else if (performance.now() - receivedAt > relaySilentMs) {
      end('silent for too long')
    }
  }, relayPingMs / 2)

  let isOver = false
  function end(reason: string): void {
    if (isOver) return
    isOver = true
    clearInterval(watch)
    agent.destroy()
    session.destroy()
    socket.destroy()
    alive.resolve(false)
    over.resolve(reason)
  }

  return { id, instanceId, agent, end, alive: alive.promise, over: over.promise }
}

/** Of all streams of an agent together; larger than any one stream's, so that one cannot use it up. Bytes. */
const connectionWindow = 16 * 1024 * 1024
