/**
 * What the edge does for HTTPS besides speaking it: proves hosts to the certification authority, and sends visitors.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Log } from '../../platform/log.ts'
import { discardBody } from './forward-request.ts'
import { requestedHost } from './forwarded-headers.ts'

export interface EdgeCertificates {
  /** For the host (lower case) of a handshake; undefined: there is none. */
  find(host: string): Promise<SecureContext | undefined>
  /** What `host` answers to the authority that asks for `token` (RFC 8555, 8.3). */
  findAnswer(host: string, token: string): Promise<string | undefined>
  close(): void
}

/** Waiting for a certificate that is being ordered included, ms. */
const handshakeMs = 20_000
const challengePath = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{1,128})$/

/** The server's half of TLS; who names no host of ours gets an alert. */
export function createTlsServer(
  certificates: EdgeCertificates | undefined,
  log: Log,
  options: https.ServerOptions,
): https.Server {
  // A context without a certificate: OpenSSL finds nothing in common and says so.
  const none = createSecureContext({ minVersion: 'TLSv1.2' })
  return https.createServer({
    ...options,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
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
}

/** What the authority asks over HTTP; undefined: it is not its question, or not one of ours. */
export async function findChallengeAnswer(
  certificates: EdgeCertificates | undefined,
  req: IncomingMessage,
): Promise<string | undefined> {
  const token = challengePath.exec(req.url ?? '')?.[1]
  const host = token === undefined ? undefined : requestedHost(req)
  return token === undefined || host === undefined ? undefined : await certificates?.findAnswer(host, token)
}

/**
 * The same address over HTTPS. Who named a port came past the world's 80, and finds HTTPS at the port where this
 * process has it.
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
