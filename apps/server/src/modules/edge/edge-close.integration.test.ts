/** An edge that is stopped: it waits for answers under way, and for nothing else. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { agentRelayPath, relayProtocol } from '@atoll/contract/agents'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { startTestEdge, type TestEdge } from './testing/test-edge.ts'
import { createTrafficCounter } from './traffic/traffic-counter.ts'

/** Longer than a test may take: a test that waits for it fails. ms */
const graceMs = 600_000

let edge: TestEdge
beforeEach(async () => {
  edge = await startTestEdge()
})
afterEach(() => edge.close())

test('an agent that has connected, and dials once the stop has begun, does not hold it up', async () => {
  const socket = connect(edge.port, '127.0.0.1')
  await once(socket, 'connect')
  // The edge has it once it has answered another one that came later.
  const later = edge.send('GET / HTTP/1.1\r\nhost: nobody.atoll.test\r\n\r\n')
  await once(later, 'data')
  const closed = once(socket, 'close')
  const stopped = edge.edge.close(graceMs)
  socket.write(
    `GET ${agentRelayPath} HTTP/1.1\r\nhost: edge\r\nconnection: upgrade\r\nupgrade: ${relayProtocol}\r\n` +
      'authorization: in_late00000000\r\n\r\n',
  )
  await Promise.all([stopped, closed])
  expect(await edge.db.selectFrom('leases').selectAll().execute()).toEqual([])
})

test('what is connected and says nothing is cut after the grace', async () => {
  const socket = connect(edge.port, '127.0.0.1')
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  await edge.edge.close(1)
  await closed
})

test('hundreds of agents are given back in a few transactions', async () => {
  const agents = 200
  const instance = createServer()
  await edge.serve(instance, 'over the relay')
  await Promise.all(Array.from({ length: agents - 1 }, () => edge.serve(instance, 'over the relay')))
  expect(await edge.db.selectFrom('leases').selectAll().execute()).toHaveLength(agents)
  let connections = 0
  edge.pool.on('acquire', () => {
    connections += 1
  })
  await edge.edge.close(graceMs)
  expect(connections).toBeLessThan(agents / 10)
  expect(await edge.db.selectFrom('leases').selectAll().execute()).toEqual([])
})

test('bytes that cannot be written make the stop fail, for they are lost', async () => {
  const addTraffic = () => Promise.reject(new Error('the database is away'))
  const counter = createTrafficCounter({ clock: systemClock, log: silentLog, addTraffic })
  counter.count('cl_reef00000000', 'FrpNetwork', 'in', 1)
  await expect(counter.close()).rejects.toThrow('the last traffic was not written')
})
