/** The agent's side of the relay, for tests: dials an edge and hands visitors' connections to an HTTP server. */
import { once } from 'node:events'
import http, { type Server } from 'node:http'
import http2, { type ServerHttp2Session } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { agentRelayPath, relayPingMs, relayProtocol } from '@atoll/contract/agents'
import { writeBytes } from '@atoll/contract/relay-stream'

export interface DialledInstance {
  socket: Socket
  session: ServerHttp2Session
  /** Ends the connection from this side, without a word. */
  cut(): void
}

/** Dials the edge at `port` as `authorization`; rejects with the status when the edge refuses. */
export async function dialEdge(port: number, authorization: string, server: Server): Promise<DialledInstance> {
  const request = http.request({
    host: '127.0.0.1',
    port,
    path: agentRelayPath,
    agent: false,
    headers: { connection: 'Upgrade', upgrade: relayProtocol, authorization },
  })
  const refused = once(request, 'response').then(([answer]) => {
    throw new Error(`refused with ${answer.statusCode}`)
  })
  request.end()
  const [, socket, head] = await Promise.race([once(request, 'upgrade'), refused])
  if (head.length > 0) socket.unshift(head)
  const session = http2.performServerHandshake(socket, { settings: { maxConcurrentStreams: 4096 } })
  session.on('error', () => undefined) // cut by a test
  session.on('stream', (stream) => {
    stream.on('error', () => undefined) // as above
    stream.respond({ ':status': 200 })
    writeBytes(stream)
    server.emit('connection', stream)
  })
  await once(session, 'remoteSettings')
  // As agents do: an edge takes a line on which nothing comes for dead.
  const pings = setInterval(() => {
    if (!session.destroyed) session.ping(() => undefined) // that it is sent is what counts
  }, relayPingMs)
  session.once('close', () => clearInterval(pings))
  return { socket, session, cut: () => socket.destroy() }
}

/** How the edge at `port` answers a dial: the first line of its answer. */
export async function answerToDial(port: number, headers: Record<string, string>): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const lines = Object.entries({
    host: 'edge.test',
    connection: 'Upgrade',
    upgrade: relayProtocol,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write([`GET ${agentRelayPath} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer).split('\r\n')[0] ?? ''
}
