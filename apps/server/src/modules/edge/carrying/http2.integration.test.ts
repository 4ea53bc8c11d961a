/** HTTP/2 of visitors at an edge that ends TLS: what reaches the instance, and what comes back. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { ways } from '../testing/test-edge.ts'
import { answerOf, ask, startTlsEdge, type TlsEdge } from '../testing/tls-edge.ts'

let edge: TlsEdge
beforeAll(async () => {
  edge = await startTlsEdge({ edgeVisitorRequests: 20 })
})
afterAll(() => edge.close())

describe.each(ways)('%s,', (way) => {
  let lastRequest: IncomingMessage
  let host: string
  const answers: Record<string, (res: ServerResponse, req: IncomingMessage) => void> = {
    '/nothing': (res) => res.writeHead(204).end(),
    '/same': (res) => res.writeHead(304, { etag: '"1"' }).end(),
    '/hop': (res) => {
      res.writeHead(200, { connection: 'x-mine', 'x-mine': '1', 'http2-settings': 'a', 'set-cookie': ['a=1', 'b=2'] })
      res.end('hop')
    },
    '/trailers': (res) => {
      res.writeHead(200, { trailer: 'x-sum' })
      res.write('body')
      res.addTrailers({ 'x-sum': '7', 'http2-settings': 'a' })
      res.end()
    },
    '/hint': (res) => {
      res.writeEarlyHints({ link: '</a.css>; rel=preload' })
      res.end('hinted')
    },
    '/break': (res) => {
      res.writeHead(200, { 'content-length': 1000 })
      res.write('half')
      setImmediate(() => res.destroy())
    },
    '/odd': (res) => res.writeHead(700).end('odd'),
    '/full': (res, req) => {
      res.writeHead(507).end('full')
      req.resume()
    },
  }

  beforeAll(async () => {
    const instance = createServer(async (req, res) => {
      lastRequest = req
      const answer = answers[req.url ?? '']
      if (answer) return answer(res, req)
      const body = await text(req).catch(() => undefined)
      if (body === undefined) res.destroy()
      else res.end(`${req.method} ${body.length}`)
    })
    const sockets = new WebSocketServer({ server: instance })
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))))
    host = await edge.serve(instance, way)
  })

  test('a request reaches the instance as one of HTTP/1.1, with the visitor named by us', async () => {
    const session = await edge.open(host)
    const authority = `${host}:443`
    const headers = { cookie: ['a=1', 'b=2'], te: 'trailers', 'x-forwarded-proto': 'http', 'x-kept': 'yes' }
    const { status, body } = await ask(session, { ':authority': authority, ':path': '/a?b=1', ...headers })
    expect([status, body]).toEqual([200, 'GET 0'])
    expect(lastRequest.url).toBe('/a?b=1')
    expect(lastRequest.headers).toMatchObject({
      host: authority,
      cookie: 'a=1; b=2',
      te: 'trailers',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-kept': 'yes',
    })
    expect(Object.keys(lastRequest.headers).filter((name) => name.startsWith(':'))).toEqual([])
  })

  test('as many cookies arrive as a head has room for: browsers send each as a field of its own', async () => {
    const session = await edge.open(host)
    const cookies = Array.from({ length: 300 }, (_, at) => `c${at}=1`)
    expect((await ask(session, { ':authority': host, cookie: cookies })).status).toBe(200)
    expect(lastRequest.headers.cookie).toBe(cookies.join('; '))
  })

  test('bodies arrive whole, of known length and unknown, many at a time', async () => {
    const session = await edge.open(host)
    const lengths = [0, 5, 100_000, 2_000_000]
    const asked = lengths.flatMap((length) => [
      ask(session, { ':authority': host, ':method': 'PUT', 'content-length': length }, Buffer.alloc(length, 'x')),
      ask(session, { ':authority': host, ':method': 'GET' }, Buffer.alloc(length, 'x')),
    ])
    const bodies = (await Promise.all(asked)).map(({ body }) => body)
    expect(bodies).toEqual(lengths.flatMap((length) => [`PUT ${length}`, `GET ${length}`]))
    // A method that usually has a body, without one.
    expect((await ask(session, { ':authority': host, ':method': 'POST' })).body).toBe('POST 0')
  })

  test('an answer has no header of another hop, and ends where its status says', async () => {
    const session = await edge.open(host)
    const hop = await ask(session, { ':authority': host, ':path': '/hop' })
    expect(hop).toMatchObject({ status: 200, body: 'hop', headers: { 'set-cookie': ['a=1', 'b=2'] } })
    for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'x-mine', 'http2-settings'])
      expect(hop.headers).not.toHaveProperty(name)
    for (const [method, path, status] of [
      ['HEAD', '/', 200],
      ['GET', '/nothing', 204],
      ['GET', '/same', 304],
      ['HEAD', '/hop', 200],
    ] as const)
      expect(await ask(session, { ':authority': host, ':method': method, ':path': path })).toMatchObject({
        status,
        body: '',
      })
  })

  test('trailers go both ways', async () => {
    const session = await edge.open(host)
    expect(await ask(session, { ':authority': host, ':path': '/trailers' })).toMatchObject({
      headers: { trailer: 'x-sum' },
      trailers: { 'x-sum': '7' },
      body: 'body',
    })
    const stream = session.request(
      { ':authority': host, ':method': 'POST', trailer: 'x-sum' },
      { waitForTrailers: true },
    )
    stream.once('wantTrailers', () => stream.sendTrailers({ 'x-sum': '9' }))
    stream.end('body')
    expect((await answerOf(stream)).body).toBe('POST 4')
    expect(lastRequest.trailers).toEqual({ 'x-sum': '9' })
  })

  test('interim answers are passed on', async () => {
    const session = await edge.open(host)
    const hinted = session.request({ ':authority': host, ':path': '/hint' })
    const [[hint]] = await Promise.all([once(hinted, 'headers'), answerOf(hinted)])
    expect(hint).toMatchObject({ ':status': 103, link: '</a.css>; rel=preload' })
    const headers = { ':authority': host, ':method': 'PUT', 'content-length': 5, expect: '100-continue' }
    const stream = session.request(headers)
    await once(stream, 'continue')
    stream.end('hello')
    expect((await answerOf(stream)).body).toBe('PUT 5')
  })

  test.each(['/break', '/odd'])('an answer that breaks off, or that has no form here, is reset (%s)', async (path) => {
    const session = await edge.open(host)
    await expect(ask(session, { ':authority': host, ':path': path })).rejects.toThrow('INTERNAL_ERROR')
    expect((await ask(session, { ':authority': host })).status).toBe(200)
  })

  test('a body that the instance refuses gets the refusal', async () => {
    const session = await edge.open(host)
    const headers = { ':authority': host, ':method': 'PUT', ':path': '/full' }
    expect(await ask(session, headers, Buffer.alloc(3_000_000))).toMatchObject({ status: 507, body: 'full' })
  })

  test('a WebSocket stays on HTTP/1.1, at the same port', async () => {
    const session = await edge.open(host)
    expect(session.remoteSettings.enableConnectProtocol).toBe(false)
    const socket = new WebSocket(`wss://127.0.0.1:${edge.tlsPort}/`, {
      headers: { host },
      agent: new https.Agent({ servername: host, rejectUnauthorized: false }),
    })
    await once(socket, 'open')
    socket.send('hi')
    expect(String((await once(socket, 'message'))[0])).toBe('hi')
    socket.terminate()
  })
})
