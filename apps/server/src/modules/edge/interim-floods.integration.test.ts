/**
 * Machines that say more than anybody reads, and what passes between a visitor and one: bytes that wait in this
 * process are counted, of visitors who read nothing.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import http, { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestEdge, type TestEdge, ways } from './testing/test-edge.ts'
import { createVisitor } from './testing/visitor.ts'

const answerMs = 400
/**
 * The most that one stream may buffer for a reader that takes nothing: several streams in a row, with buffers of 64 kB
 * each.
 */
const mostBuffered = 1024 * 1024
let edge: TestEdge
let hasty: TestEdge
/** Visitors' connections, as the edge has them. */
const visitors = new Set<Socket>()
const noteVisitor = (message: unknown) => {
  const { socket } = message as { socket: Socket } // as Node publishes on this channel
  if (socket.localPort === edge.port) visitors.add(socket)
}

/** Of Node, about what is listened to by more than any program needs. */
const warnings: Error[] = []
const noteWarning = (warning: Error) => {
  if (warning.name === 'MaxListenersExceededWarning') warnings.push(warning)
}

beforeAll(async () => {
  process.on('warning', noteWarning)
  edge = await startTestEdge()
  hasty = await startTestEdge({ edgeAnswerMs: answerMs })
  subscribe('net.server.socket', noteVisitor)
})
afterAll(async () => {
  process.off('warning', noteWarning)
  unsubscribe('net.server.socket', noteVisitor)
  for (const one of [edge, hasty]) await one.close()
})

/** Bytes that wait for a visitor to read, the most over all connections. */
const buffered = () => Math.max(0, ...[...visitors].map((socket) => socket.writableLength))

/** Writes `block` to `socket` until the other side stops reading, `most` bytes at most, or it is gone. */
async function flood(socket: Duplex, block: Buffer, most: number): Promise<void> {
  socket.on('error', () => undefined) // the edge cuts it
  for (let sent = 0; sent < most && !socket.destroyed; sent += block.length) {
    if (socket.write(block)) continue
    await new Promise<void>((resolve) => {
      const go = () => {
        socket.off('drain', go).off('close', go)
        resolve()
      }
      socket.on('drain', go).on('close', go)
    })
  }
}

const interims = (line: string) => Buffer.from(`HTTP/1.1 ${line}\r\n\r\n`.repeat(2000))

describe.each(ways)('%s, a machine', (way) => {
  test.each([
    ['100 without end', '100 Continue', 'expect: 100-continue\r\ncontent-length: 5\r\n'],
    ['100 that nobody asked for', '100 Continue', ''],
    ['102 without end', '102 Processing', ''],
    ['103 without end', '103 Early Hints\r\nlink: </a.css>; rel=preload', ''],
  ])('that says %s is cut, and nothing of it piles up', async (_name, line, headers) => {
    const instance = createServer()
    const flooded = Promise.withResolvers<void>()
    const onRequest = ({ socket }: IncomingMessage) => void flood(socket, interims(line), 60e6).then(flooded.resolve)
    instance.on('request', onRequest).on('checkContinue', onRequest)
    const host = await edge.serve(instance, way)
    visitors.clear()
    const method = headers === '' ? 'GET' : 'PUT'
    const socket = edge.send(`${method} / HTTP/1.1\r\nhost: ${host}\r\n${headers}\r\n`)
    socket.pause()
    await flooded.promise
    expect(buffered()).toBeLessThan(mostBuffered)
    let seen = ''
    socket.on('data', (chunk) => {
      seen += chunk
    })
    socket.resume()
    await until('the visitor is told', () => seen.includes('502'))
    expect(seen.match(/HTTP\/1.1 100/g)?.length ?? 0).toBe(headers === '' ? 0 : 1)
    expect(seen.match(/HTTP\/1.1 103/g)?.length ?? 0).toBe(line.startsWith('103') ? 4 : 0)
    // Of the thousands that are left, none is answered once more.
    expect(warnings).toEqual([])
    socket.destroy()
  })

  test.each([
    ['an answer', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', ''],
    [
      'a WebSocket',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      `connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${'A'.repeat(22)}==\r\n`,
    ],
  ])('is held back while the visitor does not read %s', async (_name, head, headers) => {
    const instance = createServer()
    const block = Buffer.from(`fff0\r\n${'x'.repeat(0xfff0)}\r\n`)
    let connection: Duplex | undefined
    const onRequest = ({ socket }: IncomingMessage) => {
      connection = socket
      // Its head and the first of its body in one write, as much as a parser hands over with an upgrade.
      socket.write(Buffer.concat([Buffer.from(head), block]))
      void flood(socket, block, 200e6)
    }
    instance.on('request', onRequest).on('upgrade', onRequest)
    const host = await edge.serve(instance, way)
    visitors.clear()
    const socket = edge.send(`GET / HTTP/1.1\r\nhost: ${host}\r\n${headers}\r\n`)
    socket.pause()
    let [last, same] = [-1, 0]
    await until(
      'the machine is held back',
      () => {
        const now = [...visitors].reduce((sum, one) => sum + one.bytesWritten, 0)
        same = now > 0 && now === last ? same + 1 : 0
        last = now
        return same === 5
      },
      { intervalMs: 50 },
    )
    expect(connection?.writableNeedDrain).toBe(true)
    expect(buffered()).toBeLessThan(mostBuffered)
    socket.destroy()
  })

  test('passes hints and trailers of its own, and gets those of the visitor', async () => {
    const seen: Record<string, unknown>[] = []
    const instance = createServer(async (req, res) => {
      await text(req)
      seen.push({ ...req.trailers, te: req.headers.te, announced: req.headers.trailer })
      res.writeEarlyHints({ link: ['</a.css>; rel=preload; as=style', '</b.js>; rel=preload; as=script'] })
      res.writeHead(200, { trailer: 'x-sum, set-cookie' })
      res.write('body')
      res.addTrailers({ 'x-sum': '42', 'set-cookie': 'a=1', 'x-forwarded-for': '6.6.6.6' })
      res.end()
    })
    const host = await edge.serve(instance, way)
    const request = http.request({
      port: edge.port,
      method: 'POST',
      headers: { host, te: 'trailers', connection: 'te', trailer: 'x-check, x-forwarded-for' },
    })
    const hint = once(request, 'information')
    request.write('hello')
    request.addTrailers({ 'x-check': 'abc', 'x-forwarded-for': '6.6.6.6', cookie: 'a=1' })
    request.end()
    const [answer] = await once(request, 'response')
    expect(await text(answer)).toBe('body')
    expect([answer.headers.trailer, answer.trailers]).toEqual(['x-sum', { 'x-sum': '42' }])
    expect((await hint)[0]).toMatchObject({
      statusCode: 103,
      headers: { link: '</a.css>; rel=preload; as=style, </b.js>; rel=preload; as=script' },
    })
    expect(seen).toEqual([{ 'x-check': 'abc', te: 'trailers', announced: 'x-check' }])
  })

  test('is told nothing interim for a visitor of HTTP/1.0, nor is that one', async () => {
    const instance = createServer((_, res) => {
      res.writeContinue()
      res.writeEarlyHints({ link: '</a.css>; rel=preload' })
      res.writeHead(200, { trailer: 'x-sum' }).end('ok')
    })
    instance.on('checkContinue', (req, res) => instance.emit('request', req, res))
    const host = await edge.serve(instance, way)
    const socket = edge.send(
      `PUT / HTTP/1.0\r\nhost: ${host}\r\nexpect: 100-continue\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello`,
    )
    const said = await text(socket)
    expect(said).toMatch(/^HTTP\/1\.1 200 /)
    expect(said).not.toMatch(/ (100|103) /)
  })

  test('that is slow to answer is asked once', async () => {
    let asked = 0
    const instance = createServer(() => {
      asked += 1
    })
    const host = await hasty.serve(instance, way)
    const visit = createVisitor(hasty.port, host)
    expect((await visit()).status).toBe(502)
    expect(asked).toBe(1)
  })

  test('that is silent to a WebSocket is given up after the time that is set for answers', async () => {
    const sockets: Duplex[] = []
    const instance = createServer()
    instance.on('upgrade', (_req, socket: Duplex) => void sockets.push(socket))
    const host = await hasty.serve(instance, way)
    const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n'
    const socket = hasty.send(`GET / HTTP/1.1\r\nhost: ${host}\r\n${upgrade}\r\n`)
    const sentAt = performance.now()
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 502 /)
    // Of old it was a quarter of a minute, whatever the setting said.
    expect(performance.now() - sentAt).toBeLessThan(14_000)
    for (const one of sockets) one.destroy()
  })

  test('gets the requests of one connection one after the other, answered in their order', async () => {
    const waiting: { path: string; answer: () => void }[] = []
    const instance = createServer((req, res) => {
      waiting.push({ path: req.url ?? '', answer: () => res.end(`answer to ${req.url}`) })
    })
    let upgrades = 0
    instance.on('upgrade', (_req, socket: Duplex) => {
      upgrades += 1
      socket.destroy()
    })
    const host = await edge.serve(instance, way)
    const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n'
    const requests = ['/1', '/2', '/3'].map(
      (path) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${path === '/3' ? upgrade : ''}\r\n`,
    )
    const socket = edge.send(requests.join(''))
    let seen = ''
    socket.on('data', (chunk) => {
      seen += chunk
    })
    for (const path of ['/1', '/2', '/3']) {
      await until(`${path} is asked`, () => waiting.length > 0)
      // Another connection is served meanwhile, and gives the next request time to come too soon.
      const other = createVisitor(edge.port, host)({ path: '/other' })
      await until('the other is asked', () => waiting.length > 1)
      expect(waiting.map((one) => one.path)).toEqual([path, '/other'])
      for (const { answer } of waiting.splice(0)) answer()
      expect((await other).body.toString()).toBe('answer to /other')
      await until(`${path} is answered`, () => seen.includes(`answer to ${path}`))
    }
    expect(upgrades).toBe(0)
    socket.destroy()
  })
})

test('a connection with more requests waiting than any client sends is cut', async () => {
  let asked = 0
  const instance = createServer(() => {
    asked += 1
  })
  const host = await edge.serve(instance, 'straight')
  const socket = edge.send(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(500))
  await once(socket.resume(), 'close')
  expect(asked).toBeLessThan(2)
})
