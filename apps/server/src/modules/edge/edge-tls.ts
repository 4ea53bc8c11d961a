/**
 * The edge's work for HTTPS besides the protocol: answers the certification authority's challenges for hosts, and
 * redirects visitors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { Log } from '../../platform/log.ts'
import { discardBody } from './forward/forward-request.ts'
import { requestedHost } from './forward/forwarded-headers.ts'
import { createHttp2Sessions, type Http2Sessions } from './http2/http2-sessions.ts'

export interface EdgeCertificates {
  /** For the host (lower case) of a handshake; undefined: there is none. */
  find(host: string): Promise<SecureContext | undefined>
  /** The answer of `host` to the authority's challenge with `token` (RFC 8555, 8.3). */
  findAnswer(host: string, token: string): Promise<string | undefined>
  close(): void
}

/** Waiting for a certificate that is being ordered included, ms. */
const handshakeMs = 20_000
const challengePath = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{1,128})$/

/** The server side of TLS; a handshake that names none of our hosts gets an alert. `idleMs`: of HTTP/2's streams. */
export function createTlsServer(
  certificates: EdgeCertificates | undefined,
  log: Log,
  { idleMs, ...options }: https.ServerOptions & { keepAliveTimeout: number; idleMs: number },
): { server: https.Server; sessions: Http2Sessions } {
  // A context without a certificate: OpenSSL finds nothing in common and says so.
  const none = createSecureContext({ minVersion: 'TLSv1.2' })
  const server = https.createServer({
    ...options,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: handshakeMs,
    SNICallback(name, done) {
      const found = certificates?.find(name.toLowerCase().replace(/\.$/, '')) ?? Promise.resolve(undefined)
      found.then(
        (context) => done(null, context ?? none),
        (error: unknown) => {
          log.error({ err: error }, 'a certificate could not be looked up')
          done(null, none)
        },
      )
    },
  })
  // Node's own listener, the only one yet, speaks HTTP/1.1 on any connection.
  const [listener] = server.listeners('secureConnection')
  const speakHttp1 = (socket: Duplex) => listener?.call(server, socket)
  const sessions = createHttp2Sessions({ speakHttp1, keepAliveMs: options.keepAliveTimeout, idleMs, log })
  server.removeAllListeners('secureConnection').on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') sessions.take(socket, !server.listening)
    else speakHttp1(socket)
  })
  return { server, sessions }
}

/** The answer to the authority's HTTP challenge; undefined if the request is none, or not one that we know. */
export async function findChallengeAnswer(
  certificates: EdgeCertificates | undefined,
  req: IncomingMessage,
): Promise<string | undefined> {
  const token = challengePath.exec(req.url ?? '')?.[1]
  const host = token === undefined ? undefined : requestedHost(req)
  return token === undefined || host === undefined ? undefined : await certificates?.findAnswer(host, token)
}

/**
 * The same URL over HTTPS. A visitor who named a port did not come through the public port 80, so HTTPS is at this
 * process's own port.
 */
export function secureUrl(req: IncomingMessage, tlsPort: number): string {
  const host = requestedHost(req) ?? ''
  const isMapped = !/:\d+$/.test(req.headers.host ?? '') || tlsPort === 443
  return `https://${host}${isMapped ? '' : `:${tlsPort}`}${req.url ?? '/'}`
}

/** To the certification authority. */
export function sendProof(req: IncomingMessage, res: ServerResponse, proof: string): void {
  res.writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' })
  res.end(req.method === 'HEAD' ? undefined : proof)
  discardBody(req)
}

export function sendAway(req: IncomingMessage, res: ServerResponse, location: string): void {
  res.writeHead(308, { location, 'content-length': 0 })
  res.end()
  discardBody(req)
}
