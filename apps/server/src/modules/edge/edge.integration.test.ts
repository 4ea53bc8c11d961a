import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { publishChange } from '../../platform/events/index.ts'
import { type DialledInstance, dialEdge } from '../relay/testing/dialled-instance.ts'
import { type EdgeRoute, sumTraffic } from './index.ts'
import { startTestEdge, type TestEdge, type Way, ways } from './testing/test-edge.ts'
import { createVisitor } from './testing/visitor.ts'

/** An instance that tells what it was asked, echoes WebSockets, and does as its path says. */
let instance: Server
let instancePort: number
let lastRequest: IncomingMessage
let edge: TestEdge
let port: number
let serial = 0
/** Everything below holds for both. */
let way: Way = 'straight'
let dialled: DialledInstance
const relayed = 'in_relayed00000'

beforeAll(async () => {
  edge = await startTestEdge()
  port = edge.port
  instance = createServer(async (req, res) => {
    lastRequest = req
    if (req.url === '/break') {
      res.writeHead(200, { 'content-length': 1000 })
      res.write('half')
      setImmediate(() => res.destroy())
    } else if (req.url === '/endless') {
      const more = () => res.write(Buffer.alloc(10_000)) && setImmediate(more)
      res.on('drain', more)
      res.once('close', () => res.off('drain', more))
      more()
    } else if (req.url?.startsWith('/raw?')) {
      // What no well-behaved server says, byte for byte.
      res.socket?.end(decodeURIComponent(req.url.slice(5)), 'latin1')
    } else if (req.url === '/full') {
      res.writeHead(507)
      res.end('full')
      req.resume()
    } else if (req.url === '/headers') {
      res.writeHead(200, { connection: 'x-private', 'x-private': '1', 'set-cookie': ['a=1', 'b=2'] })
      res.end('ok')
    } else {
      // A body that breaks off gets no answer.
      const body = await text(req).catch(() => undefined)
      if (body === undefined) res.destroy()
      else res.end(`${req.method} ${body.length}`)
    }
  })
  instance.on('checkContinue', (req, res) => {
    if (req.url !== '/full') res.writeContinue()
    instance.emit('request', req, res)
  })
  const sockets = new WebSocketServer({ noServer: true })
  instance.on('upgrade', (req, socket, head) => {
    if (req.url === '/no') socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno')
    else
      sockets.handleUpgrade(req, socket, head, (ws) =>
        ws.on('message', (data, isBinary) => ws.send(data, { binary: isBinary })),
      )
  })
  instance.listen(0, '127.0.0.1')
  await once(instance, 'listening')
  instancePort = (instance.address() as AddressInfo).port
  dialled = await dialEdge(port, relayed, instance)
})
afterAll(async () => {
  dialled.cut()
  instance.closeAllConnections()
  instance.close()
  await edge.close()
})

function newCluster(change: Partial<EdgeRoute> = {}): { host: string; route: EdgeRoute } {
  serial += 1
  const host = `reef${serial}.atoll.test`
  const route = {
    clusterId: `cl_cluster${serial}0000`,
    clusterHost: host,
    ...(way === 'straight'
      ? { instanceId: 'in_instance0000', host: '127.0.0.1', port: instancePort }
      : { instanceId: relayed, host: '', port: 0, viaRelay: true }),
    serving: true,
    ...change,
  }
  edge.routes.set(host, route)
  return { host, route }
}

/** Counted by the hour, and the hour may change in between. */
const begin = new Date()

async function trafficOf(route: EdgeRoute, expected: { in: number; out: number }) {
  return await until(
    'all bytes counted',
    async () => {
      const sum = await sumTraffic(edge.db, route.clusterId, begin)
      return sum.in >= expected.in && sum.out >= expected.out ? sum : undefined
    },
    { onTimeout: async () => JSON.stringify(await sumTraffic(edge.db, route.clusterId, begin)) },
  )
}

describe.each(ways)('%s,', (name) => {
  beforeAll(() => {
    way = name
  })
  afterAll(() => {
    way = 'straight'
  })

  describe('a request', () => {
    test('reaches its instance with the visitor told by us and no header of this hop', async () => {
      const { host } = newCluster()
      const answer = await createVisitor(
        port,
        `${host}:${port}`,
      )({
        path: '/a?b=1',
        headers: {
          'x-forwarded-for': '6.6.6.6',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'evil',
          'x-real-ip': '6.6.6.6',
          forwarded: 'for=6.6.6.6',
          connection: 'close, x-secret',
          'x-secret': '1',
          te: 'trailers',
          'x-kept': 'yes',
        },
      })
      expect(answer.status).toBe(200)
      expect(lastRequest.url).toBe('/a?b=1')
      const { headers } = lastRequest
      expect(headers).toMatchObject({
        host: `${host}:${port}`,
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': `${host}:${port}`,
        'x-kept': 'yes',
      })
      for (const name of ['x-real-ip', 'forwarded', 'x-secret', 'te']) expect(headers).not.toHaveProperty(name)
    })

    test('gets its answer without headers of that hop, and every cookie', async () => {
      const { host } = newCluster()
      const { headers } = await createVisitor(port, host)({ path: '/headers' })
      expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
      expect(headers).not.toHaveProperty('x-private')
    })

    test('with a body of unknown length keeps it, whatever its method', async () => {
      const { host } = newCluster()
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answer = await createVisitor(
          port,
          host,
        )({ method, headers: { 'transfer-encoding': 'chunked' }, body: 'x'.repeat(100_000) })
        expect(answer.body.toString()).toBe(`${method} 100000`)
      }
    })

    test('whose answer breaks off breaks off too', async () => {
      const { host } = newCluster()
      await expect(createVisitor(port, host)({ path: '/break' })).rejects.toThrow()
    })

    test.each([
      ['a status that does not exist', 'HTTP/1.1 099 Low\r\ncontent-length: 0\r\n\r\n'],
      ['a 101 that was not asked for', 'HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'],
      ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ])('whose answer is %s gets a page', async (_name, answer) => {
      const visit = createVisitor(port, newCluster().host)
      expect((await visit({ path: `/raw?${encodeURIComponent(answer)}` })).status).toBe(502)
      expect((await visit()).status).toBe(200)
    })

    test('whose answer has a reason that cannot be written gets it without', async () => {
      const visit = createVisitor(port, newCluster().host)
      const answer = 'HTTP/1.1 404 a\u0001b\r\ncontent-length: 2\r\n\r\nno'
      const seen = await visit({ path: `/raw?${encodeURIComponent(answer)}` })
      expect([seen.status, seen.body.toString()]).toEqual([404, 'no'])
    })

    test('does not wait on a connection that the instance has ended since', async () => {
      const visit = createVisitor(port, newCluster().host)
      const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
      expect((await visit({ path: `/raw?${encodeURIComponent(answer)}` })).body.toString()).toBe('ok')
      expect((await visit()).body.toString()).toBe('GET 0')
    })

    test('with a body that the instance refuses gets the refusal', async () => {
      const { host } = newCluster()
      const answer = await createVisitor(port, host)({ method: 'PUT', path: '/full', body: randomBytes(3_000_000) })
      expect(answer.status).toBe(507)
      expect(answer.body.toString()).toBe('full')
    })

    test('that asks before it sends is let send only if the instance wants it', async () => {
      const { host, route } = newCluster()
      const ask = async (path: string) => {
        const request = http.request({
          host: '127.0.0.1',
          port,
          method: 'PUT',
          path,
          headers: { host, expect: '100-continue', 'content-length': 5 },
        })
        let wasWanted = false
        request.on('continue', () => {
          wasWanted = true
          request.end('hello')
        })
        request.flushHeaders()
        const [response] = await once(request, 'response')
        request.destroy()
        return [wasWanted, response.statusCode]
      }
      expect(await ask('/full')).toEqual([false, 507])
      expect(await ask('/')).toEqual([true, 200])
      await trafficOf(route, { in: 5, out: 4 })
    })

    test('counts its bytes exactly, in both directions', async () => {
      const { host, route } = newCluster()
      const visit = createVisitor(port, host)
      const lengths = [1, 1000, 65_536, 2_000_001]
      await Promise.all(lengths.map((length) => visit({ method: 'POST', body: Buffer.alloc(length, 'x') })))
      const total = lengths.reduce((sum, length) => sum + length, 0)
      const answers = lengths.reduce((sum, length) => sum + `POST ${length}`.length, 0)
      expect(await trafficOf(route, { in: total, out: answers })).toEqual({ in: total, out: answers })
    })
  })

  describe('a WebSocket', () => {
    test('is carried both ways and counted', async () => {
      const { host, route } = newCluster()
      const socket = new WebSocket(`ws://127.0.0.1:${port}/echo`, { headers: { host }, perMessageDeflate: false })
      await once(socket, 'open')
      const sent = randomBytes(1_000_000)
      socket.send(sent)
      const [echoed] = await once(socket, 'message')
      expect(sent.equals(echoed)).toBe(true)
      // A frame of 1 000 000 bytes has 10 bytes before them, and 4 more of mask from the visitor (RFC 6455, 5.2).
      expect(await trafficOf(route, { in: 1_000_014, out: 1_000_010 })).toEqual({ in: 1_000_014, out: 1_000_010 })
      const ended = once(socket, 'close')
      socket.close(1000)
      expect((await ended)[0]).toBe(1000)
    })

    test('is the only upgrade there is: another is an ordinary request', async () => {
      const { host } = newCluster()
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
      const answer = await createVisitor(port, host)({ headers })
      expect([answer.status, answer.body.toString()]).toEqual([200, 'GET 0'])
      expect(lastRequest.headers).not.toHaveProperty('upgrade')
    })

    test('that the instance refuses is refused with its words', async () => {
      const { host } = newCluster()
      const socket = new WebSocket(`ws://127.0.0.1:${port}/no`, { headers: { host } })
      socket.on('error', () => undefined)
      const [, response] = await once(socket, 'unexpected-response')
      expect(response.statusCode).toBe(403)
      expect(await text(response)).toBe('no')
    })

    test('to nobody gets a page', async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: 'nobody.atoll.test' } })
      socket.on('error', () => undefined)
      const [, response] = await once(socket, 'unexpected-response')
      expect(response.statusCode).toBe(404)
    })
  })

  test('visitors that leave at any moment leave nothing behind', async () => {
    const { host } = newCluster()
    const requests = [
      `GET /endless HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100000\r\n\r\nhalf`,
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nZZ`,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`,
    ]
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => undefined).resume()
        socket.write(requests[at % requests.length] ?? '')
        await setTimeout(at / 10)
        socket.destroy()
      }),
    )
    const count = promisify(instance.getConnections.bind(instance))
    // Idle connections that the edge keeps for later may stay.
    await until('all gone', async () => (await count()) <= 32, { onTimeout: async () => `${await count()} are left` })
    expect((await createVisitor(port, host)()).status).toBe(200)
  })

  test('a change of a cluster is seen at once', async () => {
    const { host, route } = newCluster()
    const visit = createVisitor(port, host)
    expect((await visit()).status).toBe(200)
    // What is known does not grow old: it is the change that ends it.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => time.mockRestore())
    expect((await visit()).status).toBe(200)
    edge.routes.set(host, { ...route, serving: false })
    expect((await visit()).status).toBe(200)
    await publishChange(edge.db, { account: 'did:key:z', topic: 'cluster', id: route.clusterId })
    await until('stopped', async () => (await visit()).status === 503)
  })

  test('two requests in one, framed two ways, are refused', async () => {
    const { host } = newCluster()
    const socket = connect(port, '127.0.0.1')
    socket.end(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
    expect(lastRequest.url).not.toBe('/smuggled')
  })

  test('two lines Host are refused, whichever of them would be served', async () => {
    const { host } = newCluster()
    for (const hosts of [
      [host, 'other.example'],
      ['other.example', host],
      [host, host],
    ]) {
      const socket = connect(port, '127.0.0.1')
      const lines = ['GET /two-hosts HTTP/1.1', ...hosts.map((name) => `Host: ${name}`), 'Connection: close']
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
    }
    expect(lastRequest.url).not.toBe('/two-hosts')
  })

  test('a body that Connection wants unframed is still a body, not a second request', async () => {
    const { host } = newCluster()
    const inner = `GET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    const headers = { connection: 'close, content-length', 'content-length': String(inner.length) }
    const answer = await createVisitor(port, host)({ headers, body: inner })
    expect(answer.body.toString()).toBe(`GET ${inner.length}`)
    expect(lastRequest.url).not.toBe('/smuggled')
  })
})
