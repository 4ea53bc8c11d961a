/**
 * Agents by the score, visitors at all of them through two edges, and processes that are killed at random: in the end
 * the readings are the bytes that were sent, but for what passed an edge in the two seconds before it was killed. The
 * long one: ATOLL_SOAK_AGENTS=1000 ATOLL_SOAK_SECONDS=3600 ATOLL_SOAK_TUNNELS=100.
 */
import { randomBytes } from 'node:crypto'
import { resourceList } from '@atoll/contract/clusters'
import {
  chooseServerPorts,
  createSeededRandom,
  createTestDatabase,
  type ServerProcess,
  startServer,
  type TestDatabase,
  until,
} from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyReadings } from '../../apps/server/src/modules/usage/index.ts'
import { takeTraffic } from '../../apps/server/src/modules/usage/readings/take-traffic.ts'
import { createDatabase, type Database } from '../../apps/server/src/platform/db/index.ts'
import { createPerson } from '../stack/people.ts'
import { createAnswers, enrollHost, type SimulatedHost } from '../stack/soak/simulated-host.ts'
import { type Bounds, boundsOf, type EdgeKill, type Place, startVisits } from '../stack/soak/visits.ts'

const setting = (name: string, otherwise: number) => Number(process.env[`ATOLL_SOAK_${name}`] ?? otherwise)
const agents = setting('AGENTS', 40)
const seconds = setting('SECONDS', 20)
/** Of the agents: those with a tunnel of their own, which edges do not see. Their minutes are waited for. */
const tunnels = setting('TUNNELS', 0)
const seed = setting('SEED', Math.floor(Math.random() * 2 ** 31))
/** Pause between two kills, ms at most. */
const killEveryMs = setting('KILL_SECONDS', 5) * 1000
/** Requests a second, about. */
const rate = setting('RATE', 20)

const roles = ['api', 'api', 'worker', 'worker', 'edge', 'edge'] as const
const clustersOfOne = 100
/** Of a start: beside a thousand agents that come back at once, on a machine with other work. */
const timeoutMs = 240_000
/** An edge writes every two seconds (traffic-counter); a writing on a busy machine takes its time, too. ms */
const lostMs = 10_000

let testDatabase: TestDatabase
let database: Database
const servers: ServerProcess[] = []
const hosts: SimulatedHost[] = []
const answers = createAnswers()
const random = createSeededRandom(seed)

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true })
  database = createDatabase({ connectionString: testDatabase.url })
  const ports = await chooseServerPorts()
  const env = {
    DATABASE_URL: testDatabase.url,
    ATOLL_SECRET_KEY: randomBytes(32).toString('base64url'),
    ATOLL_PUBLIC_URL: `http://localhost:${ports.console}`,
    ATOLL_CONTROL_URL: `http://127.0.0.1:${ports.console}`,
    ATOLL_SIGN_IN_RATE: '1000000',
    ATOLL_RATE_FACTOR: '1000',
    ATOLL_SELF_HOST_CLUSTERS: String(clustersOfOne),
    ATOLL_LOG_LEVEL: 'warn',
  }
  const first = await startServer({ env, roles: ['api'], ports, timeoutMs })
  servers.push(first)
  const { dataDir } = first
  servers.push(
    ...(await Promise.all(roles.slice(1).map((role) => startServer({ env, roles: [role], dataDir, timeoutMs })))),
  )
})
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.close()))
  await Promise.all(servers.slice(1).map((server) => server.kill('SIGTERM')))
  await servers[0]?.dispose()
  answers.close()
  await database?.close()
  await testDatabase?.drop()
})

const serversOf = (role: (typeof roles)[number]) => servers.filter((_, at) => roles[at] === role)

/** All of them run, and visitors find those that edges lead to. */
async function openHosts(): Promise<Place[]> {
  const [apis, edges] = [serversOf('api'), serversOf('edge')]
  const places: Place[] = []
  for (let first = 0; first < agents; first += clustersOfOne) {
    const { api } = await createPerson(servers[0]?.url ?? '')
    const count = Math.min(clustersOfOne, agents - first)
    for (let one = first; one < first + count; one += 1) {
      const controlUrl = apis[one % 2]?.url ?? ''
      const edgeUrl = `http://127.0.0.1:${edges[Math.floor(one / 2) % 2]?.ports.edge}`
      hosts.push(await enrollHost(api, { controlUrl, edgeUrl, answers }, one < tunnels ? 'cloudflare' : 'frp'))
    }
    const clusters = await until(
      'the clusters run',
      async () => {
        const list = await api.ask(resourceList, {})
        return list.length === count && list.every(({ status }) => status === 'running') ? list : undefined
      },
      { timeoutMs: 120_000, intervalMs: 500 },
    )
    for (const { clusterId, url, reverseProxy } of clusters)
      if (reverseProxy === 'frp' && url) places.push({ clusterId, host: new URL(url).host })
  }
  return places
}

async function readingsOf(network: string): Promise<Map<string, number>> {
  const { rows } = await database.pool.query<{ cluster_id: string; bytes: string }>(
    `select cluster_id, sum(bytes)::text as bytes from meter_readings
      where product_type = 'cloud_traffic' and network = $1 group by 1`,
    [network],
  )
  return new Map(rows.map(({ cluster_id, bytes }) => [cluster_id, Number(bytes)]))
}

const say = (line: string) => process.stdout.write(`soak: ${line}\n`)

test(
  'readings are the bytes that were sent, whoever is killed',
  async () => {
    say(`seed ${seed}`)
    const [place, ...others] = await openHosts()
    if (!place) throw new Error('there is no cluster to visit')
    const edges = serversOf('edge')
    const [left = 0, right = 0] = edges.map(({ ports }) => ports.edge)
    const lanes = Math.max(4, Math.ceil(rate / 5))
    const visits = startVisits([place, ...others], [left, right], { random, lanes, everyMs: (lanes / rate) * 1000 })

    const kills: EdgeKill[] = []
    const killed = { api: 0, worker: 0, edge: 0 }
    const isDone = () => Date.now() >= end && Object.values(killed).every((count) => count > 0)
    const end = Date.now() + seconds * 1000
    while (!isDone()) {
      // Each role in turn is the next one, so that a short soak kills one of each.
      const role = random.pick(leastOf(killed))
      const server = random.pick(serversOf(role) as [ServerProcess, ...ServerProcess[]]) // two of each
      const visited = visits.exchanges.length
      const from = Date.now()
      await server.kill('SIGKILL')
      if (role === 'edge') kills.push({ edge: edges.indexOf(server), from, to: Date.now() })
      killed[role] += 1
      await server.restart()
      const pauseUntil = Date.now() + random.between(0, killEveryMs)
      await until('visitors come', () => visits.exchanges.length > visited && Date.now() >= pauseUntil, {
        timeoutMs: killEveryMs + 60_000,
      })
    }
    await visits.stop()
    for (const host of hosts) host.rest()
    // The rest is written as an edge stops. Judged last: the bytes tell more than how it ended.
    const ends = []
    for (const edge of edges) {
      const ended = await edge.kill('SIGTERM')
      ends.push(ended)
      if (ended.code !== 0) say(`an edge did not stop cleanly; its last words:\n${edge.log.slice(-40).join('\n')}`)
    }

    const later = new Date(Date.now() + 2 * 3600_000)
    const read = () => database.db.transaction().execute((trx) => takeTraffic(trx, later))
    await read()
    await read()
    const readings = await readingsOf('FrpNetwork')
    const bounds = boundsOf(visits.exchanges, kills, lostMs)
    const wrong = [...bounds]
      .map(([id, bound]) => ({ id, ...bound, read: readings.get(id) ?? 0 }))
      .filter(({ least, most, read: bytes }) => bytes < least || bytes > most)
    report()
    for (const one of wrong) explain(one)
    expect(wrong).toEqual([])
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null })))

    const said = hosts.filter((_, at) => at < tunnels)
    if (said.length > 0) {
      await until(
        'what agents counted is read',
        async () => {
          await read()
          const taken = await readingsOf('CloudflareNetwork')
          return said.every(({ clusterId, tunnelled }) => taken.get(clusterId) === tunnelled().in + tunnelled().out)
        },
        { timeoutMs: 600_000, intervalMs: 5000, onTimeout: () => 'others than their counters' },
      )
      say(`${said.length} tunnels read to the byte`)
    }
    expect(await verifyReadings(database.db)).toMatchObject({ whole: true })

    /** All that distinguishes a loss of the product from a bound that is too narrow. */
    function explain({ id, ...found }: { id: string } & Bounds & { read: number }): void {
      say(`${id}: ${JSON.stringify(found)}`)
      for (const { clusterId, ...one } of visits.exchanges) if (clusterId === id) say(`  ${JSON.stringify(one)}`)
      say(`  edges were killed: ${JSON.stringify(kills)}`)
    }

    function report(): void {
      const arrived = boundsOf(visits.exchanges, [], 0)
      let [sent, lost, more, exact] = [0, 0, 0, 0]
      for (const [id, { least }] of arrived) {
        const difference = (readings.get(id) ?? 0) - least
        sent += least
        lost += Math.max(-difference, 0)
        more += Math.max(difference, 0)
        if (difference === 0) exact += 1
      }
      const brokeOff = visits.exchanges.filter(({ isWhole }) => !isWhole).length
      say(`killed ${JSON.stringify(killed)}; ${visits.exchanges.length} exchanges, ${brokeOff} broke off`)
      say(`${sent} bytes arrived whole; readings lack ${lost} of them, and have ${more} of what broke off`)
      say(`${exact} of ${arrived.size} clusters to the byte`)
      const tenths = [...Array(lostMs / 100 + 1).keys()].find((each) =>
        [...boundsOf(visits.exchanges, kills, each * 100)].every(([id, { least }]) => (readings.get(id) ?? 0) >= least),
      )
      say(`lost at most what passed in the last ${(tenths ?? Number.NaN) / 10} s of an edge that was killed`)
    }
  },
  (seconds + 1800) * 1000,
)

/** The roles that were killed least often. */
function leastOf(killed: Record<(typeof roles)[number], number>) {
  const least = Math.min(...Object.values(killed))
  return roles.filter((role) => killed[role] === least) as unknown as readonly [
    (typeof roles)[number],
    ...(typeof roles)[number][],
  ]
}
