/** Connections of `http.request` that are streams of an agent's HTTP/2 session. */
import http from 'node:http'
import { type ClientHttp2Session, constants } from 'node:http2'
import type { Duplex } from 'node:stream'
import { writeBytes } from '@atoll/contract/relay-stream'

/** Tunnels to one agent at a time; further requests wait for one to be free. */
const mostTunnels = 2000
/** Free ones that are kept for the next request, and for how long, ms. */
const keptTunnels = 64
const keptMs = 30_000

/** Its connections are CONNECT streams of `session`; kept alive and used again as TCP connections are. */
export class TunnelAgent extends http.Agent {
  readonly #session: ClientHttp2Session

  constructor(session: ClientHttp2Session) {
    super({
      keepAlive: true,
      maxSockets: mostTunnels,
      maxFreeSockets: keptTunnels,
      timeout: keptMs,
      scheduling: 'lifo',
    })
    this.#session = session
  }

  /** Whether the line is gone, and all its tunnels with it. */
  readonly isCut = (): boolean => this.#session.closed || this.#session.destroyed

  override createConnection(): Duplex {
    const stream = this.#session.request({ ':method': 'CONNECT', ':authority': 'personal-server' })
    stream.on('response', (headers) => {
      if (headers[':status'] !== 200) stream.close(constants.NGHTTP2_CONNECT_ERROR)
    })
    writeBytes(stream)
    // As a socket does: else one that the other side ended stays among the free ones, and the next request waits on
    // it.
    stream.once('end', () => stream.end())
    // Methods of a socket that http.Agent calls and a stream does not need.
    const nothing = () => stream
    const destroy = stream.destroy.bind(stream)
    return Object.assign(stream, {
      setKeepAlive: nothing,
      setNoDelay: nothing,
      ref: nothing,
      unref: nothing,
      // A visitor who left: said with an error code, or the other side takes it for a half-closed connection and keeps
      // waiting to write the rest.
      destroy(error?: Error) {
        if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL)
        return destroy(error)
      },
    })
  }
}
