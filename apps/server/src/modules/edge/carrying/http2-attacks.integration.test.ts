/** Visitors of HTTP/2 who mean harm, are at the wrong connection, or meet an edge that stops. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { constants } from 'node:http2'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, startTlsEdge, type TlsEdge } from '../testing/tls-edge.ts'

let edge: TlsEdge
let host: string
let seen: string[] = []
let lastHeaders: IncomingHttpHeaders
beforeAll(async () => {
  edge = await startTlsEdge({ edgeVisitorRequests: 20 })
  const instance = createServer(async (req, res) => {
    seen.push(`${req.method} ${req.url}`)
    lastHeaders = req.headers
    if (req.url === '/silent') return
    const body = await text(req).catch(() => undefined)
    res.end(`${req.method} ${body?.length}`)
  })
  host = await edge.serve(instance, 'straight')
  const route = edge.routes.get(host)
  if (route) edge.routes.set('reef.other.test', route)
})
afterAll(() => edge.close())

/** Frames of HTTP/2 (RFC 9113, 4.1), for what Node's client refuses to send. */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1')
const types = { data: 0, headers: 1, reset: 3, goaway: 7, windowUpdate: 8, continuation: 9 }
const [endStream, endHeaders] = [0x1, 0x4]
function frame(type: keyof typeof types, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(types[type], 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
/** Fields as HPACK's literals that are never indexed (RFC 7541, 6.2.3). */
function fields(...all: (readonly [string, string])[]): Buffer {
  const literal = (text: string) => Buffer.from([text.length, ...Buffer.from(text)])
  return Buffer.concat(all.flatMap(([name, value]) => [Buffer.from([0x10]), literal(name), literal(value)]))
}
const head = (method: string, path: string, ...more: (readonly [string, string])[]) =>
  fields([':method', method], [':scheme', 'https'], [':authority', host], [':path', path], ...more)
const number = (value: number) => Buffer.from([0, 0, 0, value])

/** The first frame of one of `wanted` that comes in answer to `frames`, and its error code; 'cut': none did. */
async function firstOf(wanted: readonly (keyof typeof types)[], ...frames: Buffer[]) {
  const socket = await edge.openRaw(host)
  socket.write(Buffer.concat([preface, ...frames]))
  const found = Promise.withResolvers<{ type: string; code?: number }>()
  let unread = Buffer.alloc(0)
  socket.once('close', () => found.resolve({ type: 'cut' }))
  socket.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk])
    while (unread.length >= 9 && unread.length >= 9 + unread.readUIntBE(0, 3)) {
      const payload = unread.subarray(9, 9 + unread.readUIntBE(0, 3))
      const type = wanted.find((one) => types[one] === unread[3])
      unread = unread.subarray(9 + payload.length)
      if (type === 'reset') found.resolve({ type, code: payload.readUInt32BE(0) })
      else if (type) found.resolve({ type })
    }
  })
  return await found.promise
}

describe('a request', () => {
  beforeAll(() => {
    seen = []
  })

  test.each([
    ['for a host that the certificate does not have', { ':authority': 'reef.other.test' }, 421],
    ['for another domain', { ':authority': 'a.b.atoll.test' }, 421],
    ['with another scheme', { ':scheme': 'http' }, 421],
    ['for two hosts', { host: 'reef2.atoll.test' }, 400],
    ['for no path', { ':method': 'OPTIONS', ':path': '*' }, 400],
    ['for a tunnel', { ':method': 'CONNECT', ':path': undefined, ':scheme': undefined }, 400],
    ['with a large head', { 'x-large': 'a'.repeat(20_000) }, 431],
    ['with a larger head', { 'x-large': 'a'.repeat(40_000) }, 'ENHANCE_YOUR_CALM'],
    ['for no host', { ':authority': '' }, 'PROTOCOL_ERROR'],
    ['for a host that has a user', { ':authority': 'a@reef1.atoll.test' }, 'PROTOCOL_ERROR'],
    ['for a path that cannot be written', { ':path': '/a b' }, 'PROTOCOL_ERROR'],
  ])('%s is refused', async (_, headers, refusal) => {
    const session = await edge.open(host)
    const asked = ask(session, { ':authority': host, ...headers })
    if (typeof refusal === 'string') await expect(asked).rejects.toThrow(refusal)
    else expect((await asked).status).toBe(refusal)
    expect(seen).toEqual([])
    expect((await ask(session, { ':authority': `${host}.`, ':path': '/next' })).status).toBe(200)
    expect(seen.splice(0)).toEqual(['GET /next'])
  })

  test.each([
    ['connection', 'close'],
    ['transfer-encoding', 'chunked'],
    ['upgrade', 'websocket'],
    ['te', 'gzip'],
    ['X-Upper', '1'],
    [':path', '/twice'],
    ['content-length', '5'],
  ])('with the field %s: %s is reset', async (name, value) => {
    const begun = frame('headers', endStream | endHeaders, 1, head('GET', '/bad', [name, value]))
    expect(await firstOf(['headers', 'reset', 'goaway'], begun)).toEqual({
      type: 'reset',
      code: constants.NGHTTP2_PROTOCOL_ERROR,
    })
    expect(seen).toEqual([])
  })

  test('with a line break in a field arrives without the field', async () => {
    const begun = frame('headers', endStream | endHeaders, 1, head('GET', '/line', ['x-line', 'a\r\nx-smuggled: 1']))
    await firstOf(['headers', 'reset', 'goaway'], begun)
    expect(lastHeaders).not.toHaveProperty('x-line')
    expect(lastHeaders).not.toHaveProperty('x-smuggled')
    seen = []
  })

  test('with more or less of a body than it says is reset, and nothing of it is a request', async () => {
    const smuggled = `GET /smuggled HTTP/1.1\r\nhost: ${host}\r\n\r\n`
    for (const [said, sent] of [
      ['5', `hello${smuggled}`],
      ['500', smuggled],
    ] as const) {
      const begun = frame('headers', endHeaders, 1, head('POST', '/bad', ['content-length', said]))
      const body = frame('data', endStream, 1, Buffer.from(sent))
      expect((await firstOf(['headers', 'reset', 'goaway'], begun, body)).type).not.toBe('headers')
    }
    const session = await edge.open(host)
    expect((await ask(session, { ':authority': host, ':path': '/next' })).status).toBe(200)
    expect(seen.splice(0)).not.toContain('GET /smuggled')
  })
})

test('a visitor who resumes a session of TLS is answered at the host that it names, and at no other', async () => {
  const before = await edge.open(host)
  // The tickets came before the settings that `open` waits for.
  const session = (before.socket as TLSSocket).getSession() // of HTTPS it is always this
  const again = await edge.open(host, { session })
  expect((again.socket as TLSSocket).isSessionReused()).toBe(true) // of HTTPS it is always this
  expect((await ask(again, { ':authority': host })).status).toBe(200)
  expect((await ask(again, { ':authority': 'elsewhere.example' })).status).toBe(421)
})

test('one visitor has no more requests at a cluster than by HTTP/1.1, and a closed session gives them back', async () => {
  const session = await edge.open(host)
  const streams = Array.from({ length: 30 }, () => session.request({ ':authority': host, ':path': '/silent' }))
  const statuses: number[] = []
  for (const stream of streams) {
    stream.on('error', () => undefined)
    stream.on('response', (headers) => statuses.push(headers[':status'] ?? 0))
  }
  await until('ten are refused', () => statuses.length === 10)
  expect(statuses).toEqual(Array(10).fill(429))
  const other = await edge.open(host)
  expect((await ask(other, { ':authority': host })).status).toBe(429)
  session.destroy()
  await until('the share is free', async () => (await ask(other, { ':authority': host })).status === 200)
})

test.each([
  [
    'resets its requests as fast as it can',
    (stream: number) => [
      frame('headers', endStream | endHeaders, stream, head('GET', '/silent')),
      frame('reset', 0, stream, number(8)),
    ],
  ],
  [
    'has the edge reset them',
    (stream: number) => [
      frame('headers', endHeaders, stream, head('POST', '/silent')),
      frame('windowUpdate', 0, stream, number(0)),
    ],
  ],
  [
    'never ends a head',
    (stream: number) =>
      stream === 1
        ? [frame('headers', endStream, 1, head('GET', '/silent'))]
        : [frame('continuation', 0, 1, fields(['x-more', '1']))],
  ],
])('a session that %s is ended, and the next visitor is served', async (_, framesOf) => {
  const frames = Array.from({ length: 1500 }, (_, at) => framesOf(2 * at + 1)).flat()
  // With much unread it may be cut before the farewell is seen.
  expect((await firstOf(['goaway'], ...frames)).type).toMatch(/^(goaway|cut)$/)
  const session = await edge.open(host)
  await until('the share is free', async () => (await ask(session, { ':authority': host })).status === 200)
})

test('an edge that stops says so, and lets answers under way end', async () => {
  const stopped = await startTlsEdge()
  const under = Promise.withResolvers<() => void>()
  const instance = createServer((_, res) => {
    res.write('first ')
    under.resolve(() => res.end('last'))
  })
  const name = await stopped.serve(instance, 'straight')
  const [busy, unused] = [await stopped.open(name), await stopped.open(name)]
  const answer = ask(busy, { ':authority': name })
  const end = await under.promise
  const said = [busy, unused].map((session) => once(session, 'goaway'))
  const closed = stopped.edge.close(600_000)
  expect((await Promise.all(said)).map(([code]) => code)).toEqual([0, 0])
  end()
  expect((await answer).body).toBe('first last')
  await closed
  await stopped.close()
})
