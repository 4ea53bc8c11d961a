/** An edge with one instance behind it, straight and over the relay, which returns what it was asked. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll } from 'vitest'
import { WebSocketServer } from 'ws'
import { dialEdge } from '../../relay/testing/dialled-instance.ts'
import { sumTraffic } from '../index.ts'
import type { EdgeRoute } from '../route-cache.ts'
import { startTestEdge, type Way } from './test-edge.ts'

const relayed = 'in_relayed00000'

/** Called once by a test file, whose tests share one. */
export function useCarryingEdge() {
  const carrier = {} as Awaited<ReturnType<typeof openCarryingEdge>> // filled before the tests
  beforeAll(async () => {
    Object.assign(carrier, await openCarryingEdge())
  })
  afterAll(() => carrier.close())
  return carrier
}

/** The instance returns what it was asked, echoes WebSockets, and does as its path says. */
async function openCarryingEdge() {
  let lastRequest: IncomingMessage
  let serial = 0
  const edge = await startTestEdge()
  const { port } = edge
  const instance = createServer(async (req, res) => {
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
      // An answer that no well-behaved server sends, byte for byte.
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
  const instancePort = (instance.address() as AddressInfo).port // a TCP listener’s address
  const dialled = await dialEdge(port, relayed, instance)

  /** A new name at which the instance answers. */
  function newCluster(way: Way): { host: string; route: EdgeRoute } {
    serial += 1
    const host = `reef${serial}.atoll.test`
    const route = {
      clusterId: `cl_cluster${serial}0000`,
      clusterHost: host,
      ...(way === 'straight'
        ? { instanceId: 'in_instance0000', host: '127.0.0.1', port: instancePort }
        : { instanceId: relayed, host: '', port: 0, viaRelay: true }),
      serving: true,
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

  return {
    edge,
    port,
    instance,
    newCluster,
    trafficOf,
    lastRequest: () => lastRequest,
    async close() {
      dialled.cut()
      instance.closeAllConnections()
      instance.close()
      await edge.close()
    },
  }
}
