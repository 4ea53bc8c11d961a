/**
 * Connections of visitors that speak HTTP/2, and what one of them may cost. Beside the budgets here, Node's library of
 * HTTP/2 cuts a session with more than 1000 resets at once or 33 a second, more than 1000 answers to PING or SETTINGS
 * that are not read, more than eight CONTINUATION frames of one head, and queues of more than 10 MB.
 */
import http2, { type ServerHttp2Session, type ServerOptions } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { createComplaints } from '../../../platform/complaints.ts'
import type { Log } from '../../../platform/log.ts'
import { carryStream } from './carry-stream.ts'
import { createHeldBodies, mostHeldBytes } from './held-bodies.ts'

export interface Http2Sessions {
  take(socket: TLSSocket, isClosing: boolean): void
  /** No new requests on any of them; they end with their last answer. */
  close(): void
}

/** A visitor may have 200 requests at a cluster; several tabs, and people behind one address, share them. */
const mostStreams = 32
/** Bytes of a body that are not passed on yet: enough for a visitor 200 ms away to upload 20 Mbit/s. */
const streamWindow = 512 * 1024
const options: ServerOptions = {
  settings: {
    maxConcurrentStreams: mostStreams,
    initialWindowSize: streamWindow,
    /** Heads over 16 kB, as HTTP/1.1 counts them, are answered 431; here each field counts 32 bytes more. */
    maxHeaderListSize: 32 * 1024,
  },
  /** Node's 128 would refuse a browser with as many cookies, each of which is a field: the size alone bounds them. */
  maxHeaderListPairs: 1024,
  maxSessionInvalidFrames: 100,
}

/**
 * `keepAliveMs`: of a session without requests. `idleMs`: of a request on which nothing moves. `mostHeld`: bytes of all
 * bodies that are not passed on yet.
 */
export function createHttp2Sessions(deps: {
  speakHttp1(socket: Duplex): void
  keepAliveMs: number
  idleMs: number
  log: Log
  mostHeld?: number
}): Http2Sessions {
  const { speakHttp1: accept, keepAliveMs, idleMs, log, mostHeld = mostHeldBytes } = deps
  const complaints = createComplaints(log)
  const bodies = createHeldBodies(Math.floor(mostHeld / streamWindow), (network) =>
    complaints.warn('', 'an upload was cut: clusters take bodies too slowly', { network }),
  )
  const sessions = new Set<ServerHttp2Session>()

  return {
    take(socket, isClosing) {
      const certificate = socket.getX509Certificate()
      // Node knows no certificate of a session that was resumed: it is for the host that the handshake named.
      const isCovered = (host: string) =>
        certificate ? certificate.checkHost(host, { subject: 'never' }) !== undefined : host === namedHost(socket)
      const streamDeps = { remoteAddress: socket.remoteAddress, isCovered, accept, idleMs }
      const session = http2.performServerHandshake(socket, options)
      sessions.add(session)
      // Node opens it again as bytes come, passed on or not: smaller, it would only slow down a lone body.
      session.setLocalWindowSize(mostStreams * streamWindow)
      let open = 0
      const unused = setTimeout(() => {
        if (open > 0) return
        session.close()
        // A visitor may keep their end open all the same.
        socket.setTimeout(keepAliveMs, () => socket.destroy())
      }, keepAliveMs)
      session.on('stream', (stream, headers) => {
        open += 1
        stream.once('close', () => {
          open -= 1
          unused.refresh()
        })
        bodies.watch(stream, socket.remoteAddress)
        carryStream(stream, headers, streamDeps)
      })
      // The visitor broke the protocol or the connection: Node has said so to them, and ends it.
      session.on('error', () => undefined)
      session.once('close', () => {
        clearTimeout(unused)
        sessions.delete(session)
      })
      if (isClosing) session.close()
    },
    close() {
      for (const session of sessions) session.close()
    },
  }
}

function namedHost({ servername }: { servername?: string | false | null }): string | undefined {
  return servername ? servername.toLowerCase().replace(/\.$/, '') : undefined
}
