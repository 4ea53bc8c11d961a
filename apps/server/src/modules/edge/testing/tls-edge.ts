/** An edge that ends TLS with one certificate, for `*.atoll.test`, and visitors of it that speak HTTP/2. */
import { once } from 'node:events'
import http2, {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from 'node:tls'
import { selfSigned } from '../../certificates/testing/self-signed.ts'
import type { EdgeDeps } from '../index.ts'
import { startTestEdge, type TestEdge } from './test-edge.ts'

export interface TlsEdge extends TestEdge {
  tlsPort: number
  /** A connection with HTTP/2, as to `host`; `tls`: beyond that. */
  open(host: string, tls?: ConnectionOptions): Promise<ClientHttp2Session>
  /** A connection with HTTP/2 on which the test writes its own bytes. */
  openRaw(host: string): Promise<TLSSocket>
}

export async function startTlsEdge(config: Partial<EdgeDeps['config']> = {}): Promise<TlsEdge> {
  const { key, chain } = await selfSigned('*.atoll.test')
  const context = createSecureContext({ key, cert: chain })
  const edge = await startTestEdge(config, {
    find: async () => context,
    findAnswer: async () => undefined,
    close: () => undefined,
  })
  const tlsPort = await edge.edge.listenTls(0)
  const opened: { destroy(): void }[] = []
  const options = (host: string) => ({ servername: host, rejectUnauthorized: false })
  return {
    ...edge,
    tlsPort,
    async open(host, tls) {
      const session = http2.connect(`https://127.0.0.1:${tlsPort}`, { ...options(host), ...tls })
      opened.push(session)
      await once(session, 'remoteSettings')
      return session.on('error', () => undefined) // cut by the edge
    },
    async openRaw(host) {
      const socket = connect({ port: tlsPort, host: '127.0.0.1', ALPNProtocols: ['h2'], ...options(host) })
      opened.push(socket)
      await once(socket, 'secureConnect')
      return socket.on('error', () => undefined) // cut by the edge
    },
    async close() {
      for (const one of opened) one.destroy()
      await edge.close()
    },
  }
}

export interface StreamAnswer {
  status: number
  headers: IncomingHttpHeaders
  trailers: IncomingHttpHeaders
  body: string
}

/** `body` undefined: the request ends with its head. Rejects when the stream is reset. */
export async function ask(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<StreamAnswer> {
  const stream = session.request(headers, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  return await answerOf(stream)
}

export async function answerOf(stream: ClientHttp2Stream): Promise<StreamAnswer> {
  let trailers: IncomingHttpHeaders = {}
  stream.once('trailers', (all: IncomingHttpHeaders) => {
    trailers = all
  })
  const [headers] = await once(stream, 'response')
  const body = String(await buffer(stream))
  return { status: headers[':status'], headers, trailers, body }
}
