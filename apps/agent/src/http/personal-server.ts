/** The personal server: one listener for the API and the pages. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { hasErrorCode } from '../kernel/atomic-file.ts'
import { distrust } from './exchange.ts'

export interface PersonalServer {
  port: number
  /** Bytes over all connections since the start, headers included. */
  traffic(): { in: number; out: number }
  /** Takes a connection that an edge carries here by other means, such as the relay. */
  accept(connection: Duplex): void
  /** Takes a visitor's own connection: nothing stands between that could vouch for who it is. */
  acceptStranger(connection: Socket): void
  /** Takes no new connection, lets answers finish for at most `graceMs`, then cuts. */
  close(graceMs: number): Promise<void>
}

/**
 * Longer than the edge keeps an idle connection, so that it is never the edge's next request that meets our closing.
 */
const keepAliveMs = 75_000
/** A connection on which nothing moves, ms; an upload or download of any length is fine as long as it moves. */
const idleMs = 120_000

/** Listens on `port`, or on any free one when that is taken (or 0), and answers with `listener`. */
export async function listen(listener: RequestListener, host: string, port: number): Promise<PersonalServer> {
  const server = createServer({ keepAliveTimeout: keepAliveMs, headersTimeout: 15_000, requestTimeout: 0 }, listener)
  server.on('checkContinue', listener)
  server.setTimeout(idleMs)
  const traffic = countTraffic(server)
  // While closing, a connection whose answer is through would be kept open for its next request.
  server.on('request', (_, res) =>
    res.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    }),
  )
  await listenOn(server, host, port).catch((error: unknown) => {
    if (port === 0 || !hasErrorCode(error, 'EADDRINUSE', 'EACCES')) throw error
    return listenOn(server, host, 0)
  })
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener's address is always this
    traffic,
    // The server wants a socket and makes do with any stream (`'connection'` in Node's documentation of http.Server).
    accept: (connection) => void server.emit('connection', connection),
    acceptStranger(connection) {
      distrust(connection)
      server.emit('connection', connection)
    },
    async close(graceMs) {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
    },
  }
}

async function listenOn(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

function countTraffic(server: Server): PersonalServer['traffic'] {
  const open = new Set<Socket>()
  const ended = { in: 0, out: 0 }
  server.on('connection', (socket) => {
    // A relayed one is counted by who relays it.
    if (!(socket instanceof Socket)) return
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      ended.in += socket.bytesRead
      ended.out += socket.bytesWritten
    })
  })
  return () => {
    const sum = { ...ended }
    for (const socket of open) {
      sum.in += socket.bytesRead
      sum.out += socket.bytesWritten
    }
    return sum
  }
}
