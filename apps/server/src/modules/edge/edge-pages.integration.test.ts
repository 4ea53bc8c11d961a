import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { findFreePorts } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EdgeRoute } from './route-cache.ts'
import { startTestEdge, type TestEdge } from './testing/test-edge.ts'
import { createVisitor } from './testing/visitor.ts'

let edge: TestEdge
let instance: Server
let instancePort: number
let serial = 0
beforeAll(async () => {
  edge = await startTestEdge()
  instance = createServer((_, res) => res.end('an instance'))
  instance.listen(0, '127.0.0.1')
  await once(instance, 'listening')
  instancePort = (instance.address() as AddressInfo).port
})
afterAll(async () => {
  instance.closeAllConnections()
  instance.close()
  await edge.close()
})

/** The host of a cluster that is routed. */
function newHost(route: Partial<EdgeRoute>): string {
  serial += 1
  const host = `reef${serial}.atoll.test`
  const about = { clusterId: `cl_cluster${serial}0000`, clusterHost: host, instanceId: 'in_instance0000' }
  edge.routes.set(host, { ...about, host: '127.0.0.1', port: 0, serving: true, ...route })
  return host
}

describe('a page of the edge', () => {
  const html = { accept: 'text/html', 'accept-language': 'zh-CN,zh;q=0.9' }

  test('reports a name that nobody has', async () => {
    const visit = createVisitor(edge.port, 'nobody.atoll.test')
    const answer = await visit({ headers: html })
    expect(answer.status).toBe(404)
    expect(answer.body.toString()).toContain('lang="zh-CN"')
    expect(answer.body.toString()).toContain('没有名为 nobody.atoll.test 的个人服务器')
    const plain = await visit()
    expect(plain.headers['content-type']).toContain('text/plain')
    expect(plain.body.toString()).toContain('No personal server has the name nobody.atoll.test.')
    const chinese = await visit({ headers: { 'accept-language': 'zh-CN' } })
    expect(chinese.body.toString()).toMatch(/^这个地址没有服务器。没有名为/)
  })

  test('says that too many requests come from one network, whatever cluster they ask', async () => {
    // Three a minute.
    const strict = await startTestEdge({ rateFactor: 1 / 10_000 })
    try {
      const host = newHost({ port: instancePort })
      for (const [name, route] of edge.routes) strict.routes.set(name, route)
      const visit = createVisitor(strict.port, host)
      for (let count = 0; count < 3; count += 1) expect((await visit()).status).toBe(200)
      for (const refused of [await visit(), await createVisitor(strict.port, 'nobody.atoll.test')()])
        expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5'])
      const socket = strict.send(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`)
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 429 /)
    } finally {
      await strict.close()
    }
  })

  test('reports a server that is stopped, or starting, and when to come again', async () => {
    const stopped = await createVisitor(edge.port, newHost({ serving: false }))({ headers: { accept: 'text/html' } })
    expect([stopped.status, stopped.headers['retry-after']]).toEqual([503, '60'])
    expect(stopped.body.toString()).toContain('This server is stopped')
    const starting = await createVisitor(edge.port, newHost({ serving: false, starting: true }))()
    expect([starting.status, starting.headers['retry-after']]).toEqual([503, '3'])
  })

  test('reports a limit, and to come again within the hour', async () => {
    const limitedUntil = (ms: number) => newHost({ limitedUntil: new Date(Date.now() + ms) })
    const answer = await createVisitor(edge.port, limitedUntil(10 * 24 * 3_600_000))()
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '3600'])
    expect(answer.body.toString()).toContain('Your traffic limit has been exceeded.')
    // A stopped one is stopped first of all.
    const stopped = newHost({ limitedUntil: new Date(), serving: false })
    expect((await createVisitor(edge.port, stopped)()).body.toString()).toContain('This server is stopped')
    expect((await createVisitor(edge.port, limitedUntil(-1))()).headers['retry-after']).toBe('1')
  })

  test('reports a server that does not answer', async () => {
    const [closed = 0] = await findFreePorts(1)
    const answer = await createVisitor(edge.port, newHost({ port: closed }))()
    expect(answer.status).toBe(502)
  })

  test.each(['<script>.test', 'a b', '', 'x'.repeat(300)])('refuses the host %j', async (host) => {
    const socket = connect(edge.port, '127.0.0.1')
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
  })

  test('loads its font and nothing else, and runs nothing', async () => {
    const visit = createVisitor(edge.port, 'nobody.atoll.test')
    const { headers, body } = await visit({ headers: html })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self';/,
    )
    const [, path = '', ...more] = body.toString().split(/url\(([^)]+)\)/)
    expect(more).toHaveLength(1)
    expect(more.join()).not.toMatch(/<script|src=|@import|href=/)
    const font = await visit({ path })
    expect([font.status, font.headers['content-type']]).toEqual([200, 'font/woff2'])
    expect(font.headers['cache-control']).toContain('immutable')
    expect(font.body.subarray(0, 4).toString()).toBe('wOF2')
    // A cluster that answers may have told its visitor a moment ago that it does not.
    expect((await createVisitor(edge.port, newHost({ port: instancePort }))({ path })).body.equals(font.body)).toBe(
      true,
    )
    expect((await visit({ path: `${path}x` })).status).toBe(404)
  })
})
