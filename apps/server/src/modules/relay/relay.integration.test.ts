/** Edges with agents that dial in: who is let in, and what visitors notice of cuts, slow readers and many at once. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { relayPingMs, relaySilentMs } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { useDatabase } from '../../platform/db/testing/use-database.ts'
import { createListener, type Listener } from '../../platform/events/index.ts'
import { silentLog } from '../../platform/log.ts'
import type { Proof } from '../agents/index.ts'
import { addTraffic, createEdge, type Edge, sumTraffic } from '../edge/index.ts'
import { withoutLimits } from '../edge/testing/test-edge.ts'
import { createVisitor } from '../edge/testing/visitor.ts'
import { answerToDial, type DialledInstance, dialEdge } from './testing/dialled-instance.ts'

const mine = { host: 'mine.atoll.test', instanceId: 'in_mine00000000', clusterId: 'cl_mine00000000' }
const other = { host: 'other.atoll.test', instanceId: 'in_other0000000', clusterId: 'cl_other0000000' }
const database = useDatabase()
let listener: Listener
/** Two processes' worth of edges on one database. */
const edges: { edge: Edge; port: number; listener: Listener }[] = []
let server: Server
const dialled: DialledInstance[] = []
/** The proof asked of the next dials; undefined: none. */
let proof: (() => Promise<Proof>) | undefined
const enrolled = new Set([mine.instanceId, other.instanceId])

/** Traffic is counted by the hour, and the hour may change in between. */
const begin = new Date()

beforeAll(async () => {
  listener = await createListener({ connection: { connectionString: database.url }, log: silentLog })
  for (let count = 0; count < 2; count += 1) edges.push(await startEdge())
  server = createServer(answer)
  server.on('upgrade', (_, socket) => socket.destroy())
})
afterEach(async () => {
  for (const { cut } of dialled.splice(0)) cut()
  await until('the edges know', async () => (await database.db.selectFrom('leases').selectAll().execute()).length === 0)
})
afterAll(async () => {
  server.closeAllConnections()
  for (const started of edges) {
    await started.edge.close(100)
    await started.listener.close()
  }
  await listener.close()
})

async function startEdge() {
  const own = await createListener({ connection: { connectionString: database.url }, log: silentLog })
  const edge = createEdge({
    db: database.db,
    clock: systemClock,
    listener: own,
    log: silentLog,
    config: { host: '127.0.0.1', product: 'Atoll', trustProxy: 0, ...withoutLimits },
    peerProofs: ['proof of this deployment'],
    agents: {
      // The token of an instance is its id here; agents' own tests prove the real thing.
      async meetDial({ authorization }) {
        if (authorization === 'Bearer replaced') return { refusal: 'machineReplaced' }
        const instanceId = [...enrolled].find((id) => authorization === `Bearer ${id}`)
        return instanceId === undefined ? undefined : { instanceId, ...(proof && { prove: proof }) }
      },
      listEnrolled: async (ids) => ids.filter((id) => enrolled.has(id)),
    },
    addTraffic: (at, counted) => addTraffic(database.db, at, counted),
    findRoute: async (host) => {
      const place = [mine, other].find((candidate) => candidate.host === host)
      return place && { ...place, clusterHost: host, host: '', port: 0, serving: true, viaRelay: true }
    },
  })
  return { edge, port: await edge.listen(0), listener: own }
}

/** Reports host and caller, and echoes the body; `/stream` never ends, `/break` breaks off. */
function answer(req: http.IncomingMessage, res: http.ServerResponse): void {
  if (req.url === '/break') return void req.resume().once('end', () => req.socket.destroy())
  if (req.url === '/stream') {
    const block = Buffer.alloc(64 * 1024)
    const more = () => {
      let mayGoOn = true
      while (mayGoOn && !res.destroyed) {
        mayGoOn = res.write(block)
        sent += block.length
      }
    }
    res.on('drain', more)
    res.once('close', () => {
      closed += 1
    })
    more()
  } else if (req.method === 'POST') {
    void buffer(req).then(
      (body) => res.end(body),
      () => res.destroy(),
    )
  } else {
    res.end(JSON.stringify({ host: req.headers.host, visitor: req.headers['x-forwarded-for'], headers: req.headers }))
  }
}
let sent = 0
let closed = 0

const portOf = (at: number) => edges[at]?.port ?? 0

async function dial(at: number, place = mine, target = server): Promise<DialledInstance> {
  const connection = await dialEdge(portOf(at), `Bearer ${place.instanceId}`, target)
  dialled.push(connection)
  return connection
}

describe('an agent that dials', () => {
  test.each([
    ['nothing', {}],
    ['another token', { authorization: 'Bearer in_nobody000000' }],
    ['another scheme', { authorization: `Basic ${mine.instanceId}` }],
  ])('with %s is refused', async (_, headers) => {
    expect(await answerToDial(portOf(0), headers)).toBe('HTTP/1.1 401 Unauthorized')
  })

  test('of a machine that was replaced is refused for good', async () => {
    const headers = { authorization: 'Bearer replaced' }
    expect(await answerToDial(portOf(0), headers)).toBe('HTTP/1.1 403 Forbidden')
  })

  test('and has to prove that it lives takes nobody’s place before it has', async () => {
    const first = await dial(0)
    const visitors = async () => (await createVisitor(portOf(0), mine.host)()).body.toString()
    const serve = (word: string) => createServer((_, res) => res.end(word))
    for (const verdict of ['again', 'machineCopied'] as const) {
      proof = async () => verdict
      const refused = await dialEdge(portOf(0), `Bearer ${mine.instanceId}`, serve('refused'))
      if (!refused.socket.destroyed) await once(refused.socket, 'close')
      expect(JSON.parse(await visitors())).toMatchObject({ host: mine.host })
    }
    expect(first.socket.destroyed).toBe(false)
    proof = async () => 'serves'
    const firstClosed = once(first.socket, 'close')
    await dial(0, mine, serve('proven'))
    proof = undefined
    await firstClosed
    expect(await visitors()).toBe('proven')
  })

  test('is let in with its own, and reached by its own name alone', async () => {
    await dial(0)
    const answer = await createVisitor(portOf(0), mine.host)()
    expect(JSON.parse(answer.body.toString())).toMatchObject({ host: mine.host, visitor: '127.0.0.1' })
    const stranger = await createVisitor(portOf(0), other.host)()
    expect(stranger.status).toBe(502)
  })

  test('whose instance is gone is cut off', async () => {
    const { socket } = await dial(0, other)
    enrolled.delete(other.instanceId)
    await once(socket, 'close')
    enrolled.add(other.instanceId)
  })

  test('that dials again takes the place of its older connection, at another edge too', async () => {
    const first = await dial(0)
    const firstClosed = once(first.socket, 'close')
    const answers = createServer((_, res) => res.end('second'))
    const second = await dial(1, mine, answers)
    await firstClosed
    for (const at of [0, 1]) {
      const { body } = await createVisitor(portOf(at), mine.host)()
      expect(body.toString()).toBe('second')
    }
    expect(second.socket.destroyed).toBe(false)
  })

  test('is kept while it cannot be asked whether another connection took its place', async () => {
    await dial(0)
    await database.pool.query('alter table leases rename to leases_away')
    const { rows } = await database.pool.query('select clock_timestamp() as now')
    const asked = `select from pg_stat_activity where query like '%"leases"%' and query_start > $1`
    try {
      const change = { instanceId: mine.instanceId, connectionId: 'of another edge' }
      await database.pool.query('select pg_notify($1, $2)', ['atoll_relay', JSON.stringify(change)])
      await until(
        'the edge has asked',
        async () => ((await database.pool.query(asked, [rows[0].now])).rowCount ?? 0) > 0,
      )
    } finally {
      await database.pool.query('alter table leases_away rename to leases')
    }
    expect((await createVisitor(portOf(0), mine.host)()).status).toBe(200)
  })

  test('cannot send requests of its own: the edge answers no streams', async () => {
    const { session } = await dial(0)
    // An HTTP/2 server may only push, which the edge has switched off.
    expect(session.remoteSettings.enablePush).toBe(false)
  })
})

describe('a visitor', () => {
  test('who comes to an edge that does not hold the connection is passed on, seen as themselves and counted once', async () => {
    await dial(1)
    const before = await sumTraffic(database.db, mine.clusterId, begin, 'FrpNetwork')
    const sentBody = randomBytes(300_000)
    const answer = await createVisitor(portOf(0), mine.host)({ method: 'POST', body: sentBody })
    expect(answer.body.equals(sentBody)).toBe(true)
    const seen = JSON.parse(
      (await createVisitor(portOf(0), mine.host)({ headers: { 'x-forwarded-for': '6.6.6.6' } })).body.toString(),
    )
    expect(seen.visitor).toBe('127.0.0.1')
    expect(Object.keys(seen.headers)).not.toContain('x-forwarded-edge-proof')
    await until('counted', async () => {
      const now = await sumTraffic(database.db, mine.clusterId, begin, 'FrpNetwork')
      return now.in - before.in >= 300_000
    })
    const after = await sumTraffic(database.db, mine.clusterId, begin, 'FrpNetwork')
    expect(after.in - before.in).toBe(300_000)
    expect((await sumTraffic(database.db, mine.clusterId, begin, 'edge')).in).toBe(0)
  })

  test.each(['*/*', 'text/html'])(
    'who gets a page of the other edge in place of an answer is not charged to the cluster (%s)',
    async (accept) => {
      await dial(1)
      const before = await sumTraffic(database.db, mine.clusterId, begin, 'FrpNetwork')
      const visit = createVisitor(portOf(0), mine.host)
      const page = await visit({ method: 'POST', path: '/break', body: randomBytes(1000), headers: { accept } })
      expect([page.status, page.body.length > 20]).toEqual([502, true])
      expect(Object.keys(page.headers)).not.toContain('x-forwarded-edge-proof')
      const after = await until('counted', async () => {
        const now = await sumTraffic(database.db, mine.clusterId, begin, 'FrpNetwork')
        return now.in > before.in ? now : undefined
      })
      expect(after).toEqual({ in: before.in + 1000, out: before.out })
    },
  )

  test('cannot make themselves out as another edge', async () => {
    await dial(0)
    const headers = { 'x-forwarded-edge-proof': 'guess', 'x-forwarded-for': '6.6.6.6' }
    const { body } = await createVisitor(portOf(0), mine.host)({ headers })
    expect(JSON.parse(body.toString()).visitor).toBe('127.0.0.1')
  })

  test('of a thousand at once is answered, each with their own', async () => {
    await dial(0)
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1000 })
    const ask = async (text: string) => {
      const request = http.request({ port: portOf(0), method: 'POST', headers: { host: mine.host }, agent })
      request.end(text)
      const [response] = await once(request, 'response')
      return (await buffer(response)).toString()
    }
    const texts = Array.from({ length: 1000 }, (_, at) => `visitor ${at} `.repeat(100))
    expect(await Promise.all(texts.map(ask))).toEqual(texts)
    agent.destroy()
  })

  test('gets whole heads over tunnels that are used again and again', async () => {
    await dial(0)
    const agent = new http.Agent({ keepAlive: true, maxSockets: 32 })
    // With a body nothing is asked a second time: one broken head would be seen.
    const ask = async () => {
      const request = http.request({ port: portOf(0), method: 'POST', headers: { host: mine.host }, agent })
      request.end('x'.repeat(500))
      const [response] = await once(request, 'response')
      return [response.statusCode, (await buffer(response)).length]
    }
    const lane = async () => {
      for (let count = 0; count < 40; count += 1) expect(await ask()).toEqual([200, 500])
    }
    await Promise.all(Array.from({ length: 32 }, lane))
    agent.destroy()
  })

  test('moves large bodies whole, both ways', async () => {
    await dial(0)
    const body = randomBytes(40_000_000)
    const answer = await createVisitor(portOf(0), mine.host)({ method: 'POST', body })
    expect(answer.body.equals(body)).toBe(true)
  })

  test('who reads nothing holds up nobody else, and the instance stops sending to them', async () => {
    await dial(0)
    sent = 0
    const idle: Socket[] = []
    for (let count = 0; count < 40; count += 1) {
      const socket = connect(portOf(0), '127.0.0.1')
      socket.pause()
      socket.write(`GET /stream HTTP/1.1\r\nHost: ${mine.host}\r\n\r\n`)
      idle.push(socket)
    }
    let last = -1
    await until(
      'nothing more is sent',
      () => {
        const isStill = sent > 0 && sent === last
        last = sent
        return isStill
      },
      { intervalMs: 300 },
    )
    // A window, and what sockets and buffers of this machine hold, for each.
    expect(sent / 40).toBeLessThan(12_000_000)
    const { body } = await createVisitor(portOf(0), mine.host)({ method: 'POST', body: randomBytes(2_000_000) })
    expect(body.length).toBe(2_000_000)
    closed = 0
    for (const socket of idle) socket.destroy()
    await until('the instance sees that they left', () => closed >= 40)
  })

  test('waits for an agent that dials again after a cut, instead of getting an error', async () => {
    const { cut } = await dial(0)
    const visit = createVisitor(portOf(0), mine.host)
    expect((await visit()).status).toBe(200)
    cut()
    // The edge may not know of the cut yet: what has no body is asked again.
    const visits = [visit(), visit()]
    await dial(0)
    for (const { status } of await Promise.all(visits)) expect(status).toBe(200)
  })
})

describe('a line that goes dead without a word', () => {
  let wire: TcpServer
  let isDead = false
  const ends: Socket[] = []

  beforeAll(async () => {
    wire = createTcpServer((near) => {
      const far = connect(portOf(0), '127.0.0.1')
      ends.push(near, far)
      near.on('data', (chunk) => !isDead && far.write(chunk))
      far.on('data', (chunk) => !isDead && near.write(chunk))
      for (const socket of [near, far]) socket.on('error', () => undefined) // cut by the test
    }).listen(0, '127.0.0.1')
    await once(wire, 'listening')
  })
  afterAll(() => {
    for (const socket of ends) socket.destroy()
    wire.close()
  })

  test('is given up by the edge, and the visitor is told', async () => {
    const { port } = wire.address() as AddressInfo
    dialled.push(await dialEdge(port, `Bearer ${mine.instanceId}`, server))
    const visit = createVisitor(portOf(0), mine.host)
    expect((await visit()).status).toBe(200)
    isDead = true
    // The agent notices by the same silence, and comes back within 10 s.
    expect(relaySilentMs + relayPingMs).toBeLessThan(10_000)
    // A request with a body is not retried.
    const answer = await visit({ method: 'POST', body: 'anybody?' })
    expect(answer.status).toBe(502)
    isDead = false
  })
})
