/** The listeners of a name server: UDP, and TCP on the same port (RFC 7766). */
import { createSocket, type RemoteInfo, type SocketType } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import { type GivenSockets, listenAt, type Place } from '../../../platform/listening.ts'
import type { Log } from '../../../platform/log.ts'
import { networkOf } from '../../../platform/network-of.ts'
import type { QueryCounts } from './query-counts.ts'
import { createRateLimit } from './rate-limit.ts'
import { longestQuery } from './read-query.ts'
import { respond, truncatedAnswer } from './respond.ts'
import type { ZoneTable } from './zone-table.ts'

export interface DnsServerDeps {
  zones: ZoneTable
  counts: QueryCounts
  log: Log
  /** Whole answers a second over UDP that a network gets; 0: any number. */
  rate: number
  /** Connections at a time, of all peers. */
  mostConnections?: number
}

export interface DnsServer {
  /** Resolves with the port, which differs from the one asked for when that was 0. */
  listen(host: string, port: number): Promise<number>
  /** Resolves with the port of the last of them. */
  listenOn(given: GivenSockets): Promise<number>
  /** Answers nothing more. */
  close(): Promise<void>
}

/** A connection on which no whole question arrives, ms. */
const idleMs = 10_000
/** Connections of one address, and of all. */
const mostOfPeer = 100
const mostOfAll = 5000
/** An operating system's own size holds a few hundred questions; bytes. */
const receiveBuffer = 4 * 1024 * 1024
const onePeer = { ipv4: 32, ipv6: 64 } as const
const tries = 10
/** TCP connections that may wait to be accepted. */
const tcpBacklog = 1024

type DatagramSocket = ReturnType<typeof createSocket>

export function createDnsServer(deps: DnsServerDeps): DnsServer {
  const { zones, counts, log, rate, mostConnections = mostOfAll } = deps
  const judge = createRateLimit(rate)
  const udp: DatagramSocket[] = []
  const tcp: Server[] = []
  /** Each with its peer; first the one on which no question came for the longest. */
  const connections = new Map<Socket, string>()
  /** How many each peer has. */
  const held = new Map<string, number>()

  function onMessage(from: DatagramSocket, packet: Buffer, peer: RemoteInfo): void {
    // Nobody sends from port 0; an answer to it fails.
    if (peer.port === 0) return
    const response = respond(zones, packet, 'udp')
    if (!response) {
      counts.drop('noQuestion')
      return
    }
    const verdict = judge(peer.address, response.source, performance.now())
    if (verdict === 'drop') {
      counts.drop('limited')
      return
    }
    counts.answer('udp', verdict === 'answer' ? response.rcode : 'TRUNCATED')
    const bytes = verdict === 'answer' ? response.bytes : truncatedAnswer(packet)
    // An answer that does not get away is asked for again.
    from.send(bytes, peer.port, peer.address, (error) => error && counts.drop('unsent'))
  }

  function accept(socket: Socket): void {
    const peer = networkOf(socket.remoteAddress ?? '', onePeer)
    if ((held.get(peer) ?? 0) >= mostOfPeer) return void socket.destroy()
    // A new connection takes the place of the one that has been idle for longest.
    const [idlest] = connections.keys()
    if (idlest && connections.size >= mostConnections) {
      forget(idlest)
      idlest.destroy()
    }
    connections.set(socket, peer)
    held.set(peer, (held.get(peer) ?? 0) + 1)
    let pending = Buffer.alloc(0)
    const idle = setTimeout(() => socket.destroy(), idleMs)
    socket.on('close', () => {
      clearTimeout(idle)
      forget(socket)
    })
    socket.on('error', () => socket.destroy()) // cut by the other side
    socket.on('drain', () => socket.resume())
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      while (pending.length >= 2) {
        const length = pending.readUInt16BE(0)
        // No question is so long: whatever follows is no question either.
        if (length > longestQuery) return void socket.destroy()
        if (pending.length < 2 + length) return
        idle.refresh()
        connections.delete(socket)
        connections.set(socket, peer)
        if (!answerOn(socket, pending.subarray(2, 2 + length))) return
        pending = pending.subarray(2 + length)
      }
    })
  }

  /** Safe to repeat. */
  function forget(socket: Socket): void {
    const peer = connections.get(socket)
    if (peer === undefined) return
    connections.delete(socket)
    const left = (held.get(peer) ?? 0) - 1
    if (left > 0) held.set(peer, left)
    else held.delete(peer)
  }

  /** False: the connection is over. */
  function answerOn(socket: Socket, packet: Buffer): boolean {
    const response = respond(zones, packet, 'tcp')
    if (!response) {
      counts.drop('noQuestion')
      socket.destroy()
      return false
    }
    counts.answer('tcp', response.rcode)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(response.bytes.length, 0)
    // A client that does not read its answers gets no more of them.
    if (!socket.write(Buffer.concat([length, response.bytes]))) socket.pause()
    return true
  }

  async function bindUdp(type: SocketType, place: { port: number; address: string } | { fd: number }): Promise<void> {
    const socket = createSocket({ type, recvBufferSize: receiveBuffer })
    socket.on('message', (packet, peer) => onMessage(socket, packet, peer))
    const bound = once(socket, 'listening')
    socket.bind(place)
    try {
      await bound
    } catch (error) {
      socket.close()
      throw error
    }
    socket.on('error', (error) => log.warn({ err: error }, 'the name server could not receive'))
    udp.push(socket)
  }

  async function bindTcp(place: Place, host = ''): Promise<number> {
    const server = createServer({ noDelay: true }, accept)
    const port = await listenAt(server, place, host, tcpBacklog)
    tcp.push(server)
    return port
  }

  async function stopListening(): Promise<void> {
    for (const socket of udp.splice(0)) socket.close()
    const closed = tcp.splice(0).map((server) => {
      const closed = once(server, 'close')
      server.close()
      return closed
    })
    for (const socket of connections.keys()) socket.destroy()
    await Promise.all(closed)
  }

  return {
    async listen(host, port) {
      for (let attempt = 1; ; attempt += 1) {
        const chosen = await bindTcp(port, host)
        try {
          await bindUdp(isIPv6(host) ? 'udp6' : 'udp4', { port: chosen, address: host })
          return chosen
        } catch (error) {
          await stopListening()
          // A port that was free for the one may be taken for the other.
          if (port !== 0 || attempt === tries) throw error
        }
      }
    },
    async listenOn(given) {
      for (const fd of given.udp4) await bindUdp('udp4', { fd })
      for (const fd of given.udp6) await bindUdp('udp6', { fd })
      let port = 0
      for (const fd of given.tcp) port = await bindTcp({ fd })
      return port
    },
    close: stopListening,
  }
}
