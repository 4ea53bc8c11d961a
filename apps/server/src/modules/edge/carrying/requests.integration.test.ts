/** Requests and their answers, as the edge carries them between visitor and instance. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { until } from '@atoll/testkit'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { publishChange } from '../../../platform/events/index.ts'
import { useCarryingEdge } from '../testing/carrying-edge.ts'
import { ways } from '../testing/test-edge.ts'
import { createVisitor } from '../testing/visitor.ts'

const carrier = useCarryingEdge()

describe.each(ways)('%s,', (way) => {
  const newCluster = () => carrier.newCluster(way)

  describe('a request', () => {
    test('reaches its instance with the visitor named by us and no header of this hop', async () => {
      const { host } = newCluster()
      const answer = await createVisitor(
        carrier.port,
        `${host}:${carrier.port}`,
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
      expect(carrier.lastRequest().url).toBe('/a?b=1')
      const { headers } = carrier.lastRequest()
      expect(headers).toMatchObject({
        host: `${host}:${carrier.port}`,
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': `${host}:${carrier.port}`,
        'x-kept': 'yes',
      })
      for (const name of ['x-real-ip', 'forwarded', 'x-secret', 'te']) expect(headers).not.toHaveProperty(name)
    })

    test('gets its answer without headers of that hop, and every cookie', async () => {
      const { host } = newCluster()
      const { headers } = await createVisitor(carrier.port, host)({ path: '/headers' })
      expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
      expect(headers).not.toHaveProperty('x-private')
    })

    test('with a body of unknown length keeps it, whatever its method', async () => {
      const { host } = newCluster()
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answer = await createVisitor(
          carrier.port,
          host,
        )({ method, headers: { 'transfer-encoding': 'chunked' }, body: 'x'.repeat(100_000) })
        expect(answer.body.toString()).toBe(`${method} 100000`)
      }
    })

    test('whose answer breaks off breaks off too', async () => {
      const { host } = newCluster()
      await expect(createVisitor(carrier.port, host)({ path: '/break' })).rejects.toThrow()
    })

    test.each([
      ['a status that does not exist', 'HTTP/1.1 099 Low\r\ncontent-length: 0\r\n\r\n'],
      ['a 101 that was not asked for', 'HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'],
      ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ])('whose answer is %s gets a page', async (_name, answer) => {
      const visit = createVisitor(carrier.port, newCluster().host)
      expect((await visit({ path: `/raw?${encodeURIComponent(answer)}` })).status).toBe(502)
      expect((await visit()).status).toBe(200)
    })

    test('whose answer has a reason that cannot be written gets it without', async () => {
      const visit = createVisitor(carrier.port, newCluster().host)
      const answer = 'HTTP/1.1 404 a\u0001b\r\ncontent-length: 2\r\n\r\nno'
      const seen = await visit({ path: `/raw?${encodeURIComponent(answer)}` })
      expect([seen.status, seen.body.toString()]).toEqual([404, 'no'])
    })

    test('does not wait on a connection that the instance has ended since', async () => {
      const visit = createVisitor(carrier.port, newCluster().host)
      const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
      expect((await visit({ path: `/raw?${encodeURIComponent(answer)}` })).body.toString()).toBe('ok')
      expect((await visit()).body.toString()).toBe('GET 0')
    })

    test('with a body that the instance refuses gets the refusal', async () => {
      const { host } = newCluster()
      const answer = await createVisitor(
        carrier.port,
        host,
      )({ method: 'PUT', path: '/full', body: randomBytes(3_000_000) })
      expect(answer.status).toBe(507)
      expect(answer.body.toString()).toBe('full')
    })

    test('that asks before it sends is let send only if the instance wants it', async () => {
      const { host, route } = newCluster()
      const ask = async (path: string) => {
        const request = http.request({
          host: '127.0.0.1',
          port: carrier.port,
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
      await carrier.trafficOf(route, { in: 5, out: 4 })
    })

    test('counts its bytes exactly, in both directions', async () => {
      const { host, route } = newCluster()
      const visit = createVisitor(carrier.port, host)
      const lengths = [1, 1000, 65_536, 2_000_001]
      await Promise.all(lengths.map((length) => visit({ method: 'POST', body: Buffer.alloc(length, 'x') })))
      const total = lengths.reduce((sum, length) => sum + length, 0)
      const answers = lengths.reduce((sum, length) => sum + `POST ${length}`.length, 0)
      expect(await carrier.trafficOf(route, { in: total, out: answers })).toEqual({ in: total, out: answers })
    })
  })

  test('a change of a cluster is seen at once', async () => {
    const { host, route } = newCluster()
    const visit = createVisitor(carrier.port, host)
    expect((await visit()).status).toBe(200)
    // The clock is stopped, so the cached route does not expire: only the change removes it.
    const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => time.mockRestore())
    expect((await visit()).status).toBe(200)
    carrier.edge.routes.set(host, { ...route, serving: false })
    expect((await visit()).status).toBe(200)
    await publishChange(carrier.edge.db, { account: 'did:key:z', topic: 'cluster', id: route.clusterId })
    await until('stopped', async () => (await visit()).status === 503)
  })
})
