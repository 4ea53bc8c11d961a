/** Attempts of visitors to delay or attack each other through one edge. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestEdge, type TestEdge, ways } from './testing/test-edge.ts'
import { createVisitor } from './testing/visitor.ts'

let edge: TestEdge
let narrow: TestEdge
let brisk: TestEdge
beforeAll(async () => {
  edge = await startTestEdge()
  narrow = await startTestEdge({ edgeVisitorRequests: 20 })
  brisk = await startTestEdge({ edgeBodyRate: { bytesPerSecond: 1000, windowMs: 300 } })
})
afterAll(async () => {
  for (const one of [edge, narrow, brisk]) await one.close()
})

/** Answers as the personal server does: it reads bodies, and has no use for upgrades. */
function createInstance(seen: string[] = []) {
  return createServer(async (req, res) => {
    seen.push(`${req.method} ${req.url}`)
    const body = await text(req).catch(() => undefined)
    res.end(`${req.method} ${body?.length}`)
  })
}

const upgrade = (host: string, ...lines: string[]) =>
  [
    'GET /attack HTTP/1.1',
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${'A'.repeat(22)}==`,
    ...lines,
    '',
    '',
  ].join('\r\n')

describe.each(ways)('%s, an upgrade', (way) => {
  test.each([
    ['Content-Length: 100', ''],
    ['Content-Length: 100', 'half'],
    ['Transfer-Encoding: chunked', ''],
    ['Content-Length: 0100', ''],
  ])('that announces a body (%s, then %j) is refused, and the next visitor is served', async (framing, body) => {
    const seen: string[] = []
    const host = await edge.serve(createInstance(seen), way)
    const visit = createVisitor(edge.port, host)
    expect((await visit()).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 5 }, () => text(edge.send(upgrade(host, framing) + body))))
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    const after = await Promise.all(Array.from({ length: 20 }, () => visit({ path: '/next' })))
    expect(after.map(({ status, body }) => `${status} ${body}`)).toEqual(Array(20).fill('200 GET 0'))
    expect(seen).not.toContain('GET /attack')
  })

  test('that the instance answers like any request leaves its connection to nobody', async () => {
    const connections: unknown[] = []
    const instance = createInstance().on('request', ({ socket }) => connections.push(socket))
    const host = await edge.serve(instance, way)
    expect(await text(edge.send(upgrade(host, 'Content-Length: 0')))).toMatch(/^HTTP\/1\.1 200 [\s\S]*GET 0$/)
    const visit = createVisitor(edge.port, host)
    for (const _ of [1, 2]) expect((await visit()).body.toString()).toBe('GET 0')
    expect(connections[1]).not.toBe(connections[0])
    expect(connections[2]).toBe(connections[1])
  })
})

const halfPost = (host: string) => `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n\r\nhalf`
const answerOf = async (socket: Socket) => (await text(socket)).split('\r\n', 1)[0]

describe.each(ways)('%s, bodies that never come', (way) => {
  test('take no more than one visitor’s share of the connections, and give it back', async () => {
    const host = await narrow.serve(createInstance(), way)
    const sockets = Array.from({ length: 30 }, () => narrow.send(halfPost(host)))
    const heads: string[] = []
    for (const socket of sockets) socket.on('data', (head) => heads.push(String(head)))
    await until('ten are refused', () => heads.length === 10)
    for (const head of heads) expect(head).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 5/i)
    const [visit, other] = [createVisitor(narrow.port, host), createVisitor(narrow.port, host, '127.0.0.2')]
    expect((await visit()).status).toBe(429)
    expect((await visit({ headers: { 'x-forwarded-for': '192.0.2.9' } })).status).toBe(429)
    expect((await other()).status).toBe(200)
    expect((await createVisitor(narrow.port, await narrow.serve(createInstance(), way))()).status).toBe(200)
    expect(heads).toHaveLength(10)
    for (const socket of sockets) socket.destroy()
    await until('the share is free', async () => (await visit()).status === 200)
  })

  test('nor requests that were answered, or left, count any longer', async () => {
    const host = await narrow.serve(createInstance(), way)
    const visit = createVisitor(narrow.port, host)
    for (let count = 0; count < 25; count += 1) expect((await visit()).status).toBe(200)
    for (let count = 0; count < 100; count += 1) narrow.send(halfPost(host)).destroy()
    await until('they are forgotten', async () => (await visit({ method: 'POST', body: 'whole' })).status === 200)
  })

  test('are given up, the visitor is told, and the instance is let go', async () => {
    const instance = createInstance()
    const gone = Promise.withResolvers<void>()
    instance.on('request', (req) => req.once('close', gone.resolve))
    const host = await brisk.serve(instance, way)
    expect(await answerOf(brisk.send(halfPost(host)))).toBe('HTTP/1.1 408 Request Timeout')
    await gone.promise
    expect((await createVisitor(brisk.port, host)({ method: 'POST', body: 'whole' })).body.toString()).toBe('POST 5')
  })

  test('are given up also when the instance has answered already', async () => {
    const instance = createServer((_, res) => void res.writeHead(404, { 'content-length': 0 }).end())
    const host = await brisk.serve(instance, way)
    const socket = brisk.send(halfPost(host))
    expect(await answerOf(socket)).toBe('HTTP/1.1 404 Not Found')
  })
})

test('WebSockets count as much as requests', async () => {
  const instance = createInstance().on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  const host = await narrow.serve(instance, 'straight')
  const sockets = Array.from({ length: 20 }, () => narrow.send(upgrade(host)))
  for (const [head] of await Promise.all(sockets.map((socket) => once(socket, 'data'))))
    expect(String(head)).toMatch(/^HTTP\/1\.1 101 /)
  expect((await createVisitor(narrow.port, host)()).status).toBe(429)
  expect(await answerOf(narrow.send(upgrade(host)))).toBe('HTTP/1.1 429 Too Many Requests')
})

test.each(ways)('%s, cookies for all clusters stay at the one that set them', async (way) => {
  const cookies = (host: string) => [`a=1; Domain=atoll.test; Path=/`, `b=2; Domain=${host}`, `c=3; domain=.x.${host}`]
  const instance = createServer((req, res) => {
    res.writeHead(200, { 'set-cookie': cookies(req.headers.host ?? '') })
    res.end()
  })
  const host = await edge.serve(instance, way)
  const confined = ['a=1; Path=/', ...cookies(host).slice(1)]
  expect((await createVisitor(edge.port, host)()).headers['set-cookie']).toEqual(confined)
  // Answers to an upgrade take another path through the code.
  const lines = (await text(edge.send(upgrade(host)))).split('\r\n').filter((line) => /^set-cookie:/i.test(line))
  expect(lines).toEqual(confined.map((cookie) => `set-cookie: ${cookie}`))
})

test.each(ways)('%s, no cluster has the cookies of all clusters forgotten', async (way) => {
  const instance = createServer((_, res) => {
    res.writeHead(200, [
      ['Clear-Site-Data', '"cookies", "storage"'],
      ['Clear-Site-Data', '"cookies"'],
    ])
    res.end()
  })
  const host = await edge.serve(instance, way)
  expect((await createVisitor(edge.port, host)()).headers['clear-site-data']).toBe('"storage"')
  expect(await text(edge.send(upgrade(host)))).toMatch(/^clear-site-data: "storage"\r$/im)
})
