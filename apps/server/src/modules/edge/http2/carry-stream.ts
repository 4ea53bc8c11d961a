/**
 * Answers one stream of HTTP/2 as a connection of HTTP/1.1, whose other end the edge's own server has in this process:
 * checks, limits, forwarding and pages are the same for both protocols. Such a connection carries one request, so a
 * dispute about where its body ends cannot touch the request of another visitor.
 */
import http, {
  type ClientRequest,
  type IncomingMessage,
  type InformationEvent,
  type OutgoingHttpHeaders,
} from 'node:http'
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { Duplex, duplexPair, pipeline } from 'node:stream'
import { announcedTrailers, passedTrailers, requestedHost, withoutHopByHop } from '../forward/forwarded-headers.ts'

/** The streams of one session have this in common. */
export interface StreamDeps {
  remoteAddress: string | undefined
  /** Whether the certificate that the visitor was shown is one of `host`. */
  isCovered(host: string): boolean
  /** Has the edge speak HTTP/1.1 on `socket`. */
  accept(socket: Duplex): void
  /** A stream on which nothing moves, ms. */
  idleMs: number
}

/** Of the head of an answer, which the edge has bounded already and adds headers to. */
const maxHeaderSize = 64 * 1024

export function carryStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, deps: StreamDeps): void {
  // Reset by the visitor, or its answer broke off: 'close' follows.
  stream.on('error', () => undefined)
  stream.setTimeout(deps.idleMs, () => stream.close(constants.NGHTTP2_CANCEL))
  const trailers: NodeJS.Dict<string> = {}
  stream.once('trailers', (all: IncomingHttpHeaders) => {
    for (const [name, value] of Object.entries(all)) trailers[name] = String(value)
  })
  // Frames that came with it are read first: a request that is reset as fast as it is sent costs nothing more.
  setImmediate(() => {
    if (!stream.closed && !stream.destroyed) carry(stream, headers, trailers, deps)
  })
}

function carry(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  trailers: NodeJS.Dict<string>,
  deps: StreamDeps,
): void {
  const refusal = refusalOf(headers, deps)
  if (refusal !== undefined) return void refuse(stream, refusal)
  const [near, far] = duplexPair()
  near.once('close', () => far.destroy())
  // As with a socket, everything is read first that the edge wrote before it closed.
  near.once('end', () => near.destroy())
  let request: ClientRequest
  try {
    request = http.request({
      method: headers[':method'],
      path: headers[':path'],
      headers: headersForEdge(headers, stream.endAfterHeaders),
      setHost: false,
      maxHeaderSize,
      createConnection: () => near,
    })
  } catch {
    // A path or a value that HTTP/1.1 cannot write on a line.
    near.destroy()
    return void refuse(stream, 400)
  }
  stream.once('close', () => request.destroy())
  request.on('error', () => {
    if (!stream.headersSent && !stream.closed) stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  })
  passAnswer(request, stream)
  passBody(stream, request, trailers)
  // As of a socket, all that it has written is sent even when it is destroyed with an error: an answer 431, say.
  const destroy = () => Duplex.prototype.destroy.call(far)
  deps.accept(Object.assign(far, { encrypted: true, remoteAddress: deps.remoteAddress, destroy }))
}

/** The status of a request that is not for this connection, or says two things. */
function refusalOf(headers: IncomingHttpHeaders, { isCovered }: StreamDeps): number | undefined {
  const { ':authority': authority, ':scheme': scheme, ':method': method, host } = headers
  if (method === 'CONNECT' || (authority !== undefined && host !== undefined && authority !== host)) return 400
  const name = requestedHost({ headers: { host: authority ?? host } })
  // Where there is no valid name, the edge itself answers what is wrong.
  return scheme !== 'https' || (name !== undefined && !isCovered(name)) ? 421 : undefined
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  if (stream.closed) return
  stream.respond({ ':status': status, 'content-length': 0 }, { endStream: true })
  // The body is not read (RFC 9113, 8.1).
  if (!stream.endAfterHeaders) stream.close(constants.NGHTTP2_NO_ERROR)
}

function headersForEdge(all: IncomingHttpHeaders, isBodiless: boolean): OutgoingHttpHeaders {
  const headers = Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith(':')))
  const isChunked = !isBodiless && headers['content-length'] === undefined
  const framed = { ...headers, ...(isChunked && { 'transfer-encoding': 'chunked' }) }
  return {
    ...withoutHopByHop(headers),
    ...(isChunked && { 'transfer-encoding': 'chunked' }),
    ...announcedTrailers({ headers: framed }),
    ...(headers.te === 'trailers' ? { te: 'trailers', connection: 'keep-alive, te' } : { connection: 'keep-alive' }),
    host: all[':authority'] ?? all.host,
  }
}

function passBody(stream: ServerHttp2Stream, request: ClientRequest, trailers: NodeJS.Dict<string>): void {
  if (stream.endAfterHeaders) return void request.end()
  // Before the pipe, which ends the request at the same event.
  stream.once('end', () => request.addTrailers(passedTrailers({ trailers })))
  stream.pipe(request)
}

function passAnswer(request: ClientRequest, stream: ServerHttp2Stream): void {
  const isOpen = () => !stream.closed && !stream.headersSent
  request.on('continue', () => isOpen() && stream.additionalHeaders({ ':status': 100 }))
  request.on('information', ({ statusCode, headers }: InformationEvent) => {
    if (statusCode === 103 && isOpen()) stream.additionalHeaders({ ':status': 103, link: headers.link })
  })
  request.once('response', (answer: IncomingMessage) => {
    if (!isOpen()) return void request.destroy()
    const head = { ...withoutHopByHop(answer.headers), ...announcedTrailers(answer), ':status': answer.statusCode }
    stream.once('wantTrailers', () => stream.sendTrailers(passedTrailers(answer)))
    try {
      stream.respond(head, { waitForTrailers: answer.headers['transfer-encoding'] !== undefined })
    } catch {
      // Node refuses here what it reads and writes by HTTP/1.1, such as a status of 700.
      return stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    }
    // Node has ended a stream whose answer has no body (HEAD, 204, 304).
    if (stream.writableEnded) answer.resume()
    // Broken off, it is reset: half an answer must look like one.
    else pipeline(answer, stream, () => undefined)
  })
  request.once('close', () => {
    request.destroy()
    if (stream.endAfterHeaders || stream.readableEnded || stream.closed) return
    // Answered without the rest of the body, which nobody reads (RFC 9113, 8.1).
    if (stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR)
    else stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR))
  })
}
