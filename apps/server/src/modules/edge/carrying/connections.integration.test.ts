/** WebSockets, and connections that break off or mean harm. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { until } from '@atoll/testkit'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { publishChange } from '../../../platform/events/index.ts'
import { useCarryingEdge } from '../testing/carrying-edge.ts'
import { ways } from '../testing/test-edge.ts'
import { createVisitor } from '../testing/visitor.ts'

const carrier = useCarryingEdge()

describe.each(ways)('%s,', (way) => {
  const newCluster = () => carrier.newCluster(way)

  describe('a WebSocket', () => {
    test('is carried both ways and counted', async () => {
      const { host, route } = newCluster()
      const socket = new WebSocket(`ws://127.0.0.1:${carrier.port}/echo`, {
        headers: { host },
        perMessageDeflate: false,
      })
      await once(socket, 'open')
      const sent = randomBytes(1_000_000)
      socket.send(sent)
      const [echoed] = await once(socket, 'message')
      expect(sent.equals(echoed)).toBe(true)
      // A frame of 1 000 000 bytes has 10 bytes before them, and 4 more of mask from the visitor (RFC 6455, 5.2).
      expect(await carrier.trafficOf(route, { in: 1_000_014, out: 1_000_010 })).toEqual({
        in: 1_000_014,
        out: 1_000_010,
      })
      const ended = once(socket, 'close')
      socket.close(1000)
      expect((await ended)[0]).toBe(1000)
    })

    test('whose first bytes come with its request loses none of them', async () => {
      const { host } = newCluster()
      const socket = connect(carrier.port, '127.0.0.1')
      const lines = ['GET /echo HTTP/1.1', `host: ${host}`, 'connection: upgrade', 'upgrade: websocket']
      const key = ['sec-websocket-version: 13', `sec-websocket-key: ${randomBytes(16).toString('base64')}`]
      // A masked frame of two bytes (RFC 6455, 5.2).
      const frame = Buffer.from([0x82, 0x82, 0, 0, 0, 0, 0x68, 0x69])
      socket.write(Buffer.concat([Buffer.from([...lines, ...key, '', ''].join('\r\n')), frame]))
      let seen = ''
      socket.on('data', (chunk) => {
        seen += chunk.toString('latin1')
      })
      await until('it is echoed', () => seen.endsWith('\x82\x02hi'))
      socket.destroy()
    })

    test('at a cluster that is suspended ends at once', async () => {
      const { host, route } = newCluster()
      const socket = new WebSocket(`ws://127.0.0.1:${carrier.port}/echo`, { headers: { host } })
      await once(socket, 'open')
      const ended = once(socket, 'close')
      carrier.edge.routes.set(host, { ...route, serving: false, held: true })
      await publishChange(carrier.edge.db, { account: 'did:key:z', topic: 'cluster', id: route.clusterId })
      await ended
    })

    test('is the only upgrade there is: another is an ordinary request', async () => {
      const { host } = newCluster()
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
      const answer = await createVisitor(carrier.port, host)({ headers })
      expect([answer.status, answer.body.toString()]).toEqual([200, 'GET 0'])
      expect(carrier.lastRequest().headers).not.toHaveProperty('upgrade')
    })

    test('that the instance refuses is refused with its words', async () => {
      const { host } = newCluster()
      const socket = new WebSocket(`ws://127.0.0.1:${carrier.port}/no`, { headers: { host } })
      socket.on('error', () => undefined)
      const [, response] = await once(socket, 'unexpected-response')
      expect(response.statusCode).toBe(403)
      expect(await text(response)).toBe('no')
    })

    test('to nobody gets a page', async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${carrier.port}/`, { headers: { host: 'nobody.atoll.test' } })
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
        const socket = connect(carrier.port, '127.0.0.1')
        socket.on('error', () => undefined).resume()
        socket.write(requests[at % requests.length] ?? '')
        await setTimeout(at / 10)
        socket.destroy()
      }),
    )
    const count = promisify(carrier.instance.getConnections.bind(carrier.instance))
    // Idle connections that the edge keeps for later may stay.
    await until('all gone', async () => (await count()) <= 32, { onTimeout: async () => `${await count()} are left` })
    expect((await createVisitor(carrier.port, host)()).status).toBe(200)
  })

  test('two requests in one, framed two ways, are refused', async () => {
    const { host } = newCluster()
    const socket = connect(carrier.port, '127.0.0.1')
    socket.end(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
    expect(carrier.lastRequest().url).not.toBe('/smuggled')
  })

  test('two lines Host are refused, whichever of them would be served', async () => {
    const { host } = newCluster()
    for (const hosts of [
      [host, 'other.example'],
      ['other.example', host],
      [host, host],
    ]) {
      const socket = connect(carrier.port, '127.0.0.1')
      const lines = ['GET /two-hosts HTTP/1.1', ...hosts.map((name) => `Host: ${name}`), 'Connection: close']
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
    }
    expect(carrier.lastRequest().url).not.toBe('/two-hosts')
  })

  test('a body that Connection wants unframed is still a body, not a second request', async () => {
    const { host } = newCluster()
    const inner = `GET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    const headers = { connection: 'close, content-length', 'content-length': String(inner.length) }
    const answer = await createVisitor(carrier.port, host)({ headers, body: inner })
    expect(answer.body.toString()).toBe(`GET ${inner.length}`)
    expect(carrier.lastRequest().url).not.toBe('/smuggled')
  })
})
