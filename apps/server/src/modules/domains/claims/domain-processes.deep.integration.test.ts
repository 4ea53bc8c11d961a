/**
 * Two processes each that are asked, work, answer DNS and serve hosts, on one database, and one of them all killed at
 * any time while a domain walks its steps and its certificates are ordered: it ends where it would have, and DNS is
 * answered throughout.
 */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'node:tls'
import {
  domainAdd,
  domainCheck,
  domainDelete,
  domainDetail,
  domainList,
  requestDomainVC,
  submitDomainVP,
} from '@atoll/contract/domains'
import {
  type ApiClient,
  chooseServerPorts,
  createApiClient,
  createScriptedWallet,
  createSeededRandom,
  createTestDatabase,
  type DnsLab,
  findFreePorts,
  type Pebble,
  type ServerProcess,
  startDnsLab,
  startPebble,
  startServer,
  type TestDatabase,
  until,
  whyNoDnsLab,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { setZone } from '../../dns/index.ts'
import { ask } from '../../dns/lookups/dns-client.ts'
import { createDocuments } from '../testing/wallet-documents.ts'

const missing = whyNoDnsLab()
const seed = Number(process.env['TEST_SEED'] ?? 20_261_123)
const random = createSeededRandom(seed)
const parent = 'lagoon.example'
/** RFC 1035, 4.1.1. */
const refused = 5
const domain = `cloud.${parent}`
/** Other people's domain, there all the time. */
const neighbour = `other.${parent}`
const nameServers = ['ns1.host.example', 'ns2.host.example']
/** Eight processes that begin again and again share two cores with whatever else runs. */
const patience = { timeoutMs: 120_000 }

describe.skipIf(missing !== undefined)(`two processes each${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let lab: DnsLab
  let pebble: Pebble
  let testDatabase: TestDatabase
  let database: Database
  let api: ServerProcess
  let pairs: { api: ServerProcess[]; worker: ServerProcess[]; dns: ServerProcess[]; edge: ServerProcess[] }
  let dnsPorts: number[]
  let tlsPorts: number[]
  const resolver = createSocket('udp4')

  beforeAll(async () => {
    lab = await startDnsLab(['example', parent, 'host.example'])
    testDatabase = await createTestDatabase()
    database = createDatabase({ connectionString: testDatabase.url })
    dnsPorts = await findFreePorts(2)
    tlsPorts = await findFreePorts(2)
    const ports = await chooseServerPorts()
    pebble = await startPebble({ dnsServer: `127.0.0.1:${await answerFromEither()}`, httpPort: ports.edge })
    const env = {
      DATABASE_URL: testDatabase.url,
      ATOLL_SECRET_KEY: randomBytes(32).toString('base64url'),
      ATOLL_PUBLIC_URL: `http://localhost:${ports.console}`,
      ATOLL_CONTROL_URL: `http://127.0.0.1:${ports.console}`,
      ATOLL_RESOLVERS: lab.resolvers.map(({ name, address }) => `${name}=${address}`).join(','),
      ATOLL_NAME_SERVERS: nameServers.map((host, index) => `${host}=127.0.0.1@${dnsPorts[index]}`).join(','),
      ATOLL_DNS_RATE: '0',
      ATOLL_EDGE_ADDRESSES: '192.0.2.40',
      ATOLL_ACME_DIRECTORY: pebble.directory,
      ATOLL_ACME_CA_FILE: pebble.caFile,
    }
    const start = (role: 'api' | 'worker' | 'dns' | 'edge', index: number) => {
      const own = { ATOLL_DNS_PORT: String(dnsPorts[index]), ATOLL_EDGE_TLS_PORT: String(tlsPorts[index]) }
      return startServer({ env: { ...env, ...own }, roles: [role], dataDir: api.dataDir, ...patience })
    }
    api = await startServer({ env, roles: ['api'], ports, ...patience })
    const both = (role: 'worker' | 'dns' | 'edge') => Promise.all([start(role, 0), start(role, 1)])
    pairs = {
      api: [api, await start('api', 1)],
      worker: await both('worker'),
      dns: await both('dns'),
      edge: await both('edge'),
    }
  }, 400_000)
  afterAll(async () => {
    await Promise.all(Object.values(pairs ?? {}).flatMap((pair) => pair.map((server) => server.kill('SIGTERM'))))
    await api?.dispose()
    resolver.close()
    await pebble?.[Symbol.asyncDispose]()
    await lab?.[Symbol.asyncDispose]()
    await database?.close()
    await testDatabase?.drop()
  })

  /** A resolver that remembers nothing: asks both name servers and passes the first answer on. Gives its port. */
  async function answerFromEither(): Promise<number> {
    resolver.on('message', (question, peer) => {
      const asking = createSocket('udp4').unref()
      asking.once('message', (answer) => {
        resolver.send(answer, peer.port, peer.address)
        asking.close()
      })
      for (const port of dnsPorts) asking.send(question, port, '127.0.0.1')
    })
    resolver.bind(0, '127.0.0.1')
    await once(resolver, 'listening')
    return resolver.address().port
  }

  /** As a page and a wallet do: what was not answered is asked again, of whichever is there. */
  async function fromEither<T>(credentials: ApiClient['credentials'], ask: (client: ApiClient) => Promise<T>) {
    let turn = 0
    const asked = async () => {
      turn += 1
      return { value: await ask(createApiClient(pairs.api[turn % 2]?.url ?? '', credentials)) }
    }
    return (await until('an api process answers', asked, patience)).value
  }

  /** Kills one after another, each of them once at least, until `isOver`; one is there again before the next dies. */
  async function killAtRandom(isOver: () => boolean): Promise<string[]> {
    const all = Object.entries(pairs).flatMap(([role, pair]) =>
      pair.map((server, index) => ({ name: `${role} ${index + 1}`, server })),
    )
    const killed: string[] = []
    for (let left = [...all]; left.length > 0 || !isOver(); ) {
      if (left.length === 0) left = [...all]
      const [victim] = left.splice(random.between(0, left.length - 1), 1)
      await delay(random.between(0, 500))
      killed.push(victim?.name ?? '')
      await victim?.server.restart()
    }
    return killed
  }

  /** Asks for what is always there until `isOver`; how often it was answered. */
  async function askThroughout(isOver: () => boolean): Promise<number> {
    const at = { address: '127.0.0.1', port: resolver.address().port }
    for (let answered = 0; ; answered += 1) {
      if (isOver()) return answered
      const reply = await ask(at, { name: `lena.${neighbour}`, type: 'A' }, { recursive: false })
      expect(reply?.answers, `after ${answered} answers`).toEqual([expect.objectContaining({ data: '192.0.2.40' })])
      await delay(20)
    }
  }

  /**
   * The serial number of the certificate in an edge's handshake, which must chain to Pebble's root; rejects with its
   * alert.
   */
  async function handshake(port: number, servername: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port, servername, ca: await pebble.root() })
    await once(socket, 'secureConnect')
    const { serialNumber } = socket.getPeerCertificate()
    socket.destroy()
    return serialNumber
  }

  it('end where one would have, and DNS is answered throughout', { timeout: 600_000 }, async () => {
    const { db } = database
    const records = [{ name: `lena.${neighbour}`, type: 'A' as const, value: '192.0.2.40' }]
    await db.transaction().execute((trx) => setZone(trx, { domain: neighbour, nameServers, records }))
    const wallet = createScriptedWallet()
    await wallet.register(api.url)
    const session = await wallet.signIn(api.url)
    const client: Pick<ApiClient, 'ask' | 'send'> = {
      ask: (call, body) => fromEither(session, (one) => one.ask(call, body)),
      send: (call, body) => fromEither(session, (one) => one.send(call, body)),
    }
    const documents = createDocuments(wallet, api.url, Date.now())
    const detail = () => client.ask(domainDetail, { domain })
    const reached = (status: string) =>
      until(
        `the domain is at ${status}`,
        async () => {
          // Once in five seconds; then it is refused.
          await client.send(domainCheck, { domain })
          return (await detail()).status === status
        },
        { ...patience, intervalMs: 200, onTimeout: async () => JSON.stringify(await detail()) },
      )

    async function walk(): Promise<void> {
      const { txt } = await client.ask(domainAdd, { domain, method: 'ns' })
      await lab.setZone(parent, [`${txt?.name}. TXT "${txt?.value}"`])
      await reached('WAIT_NS')
      await lab.setZone(
        parent,
        nameServers.map((host) => `${domain}. NS ${host}.`),
      )
      await reached('WAIT_REQUEST_VC')
      const application = { domain, jws: documents.application(domain) }
      // Sent twice at once, as by two tabs.
      const issued = await Promise.all([application, application].map((body) => client.ask(requestDomainVC, body)))
      const credentials = issued.map(({ verifiableCredentials }) => verifiableCredentials)
      expect(credentials[1]).toEqual(credentials[0])
      const jws = documents.presentation(credentials[0] ?? [])
      const answer = await client.ask(submitDomainVP, { domain, jws, admin_olares_id: 'lena' })
      expect(answer.status).toBe('approved')
      await reached('ALLOCATED')
      await until('HTTPS stands', async () => (await detail()).https.state === 'valid', {
        ...patience,
        onTimeout: async () => JSON.stringify((await detail()).https),
      })
    }

    /** Counted in the database: what a person is shown could hide a second one. */
    async function expectOne(): Promise<void> {
      const { id } = await detail()
      const [credentials, zones, certificates, orders] = await Promise.all([
        db.selectFrom('credentials').select('id').where('domain', '=', id).where('revoked_at', 'is', null).execute(),
        db.selectFrom('zones').select('domain').where('domain', '=', domain).execute(),
        db.selectFrom('certificates').select(['id', 'names']).where('domain', '=', id).execute(),
        db.selectFrom('acme_orders').select(['certificate', 'state']).execute(),
      ])
      expect([credentials.length, zones.length]).toEqual([1, 1])
      const names = certificates.flatMap((certificate) => certificate.names)
      expect(names.toSorted()).toEqual([`*.${domain}`, `*.lena.${domain}`, domain].toSorted())
      const known = new Set(certificates.map((certificate) => certificate.id))
      const issued = orders.filter(({ certificate, state }) => known.has(certificate) && state === 'issued')
      expect(issued.length).toBe(certificates.length)
      const actions = await db
        .selectFrom('audit_entries')
        .select('action')
        .where('object_kind', '=', 'domain')
        .where('object_id', '=', String(id))
        .execute()
      const steps = ['add', 'prove', 'delegate', 'issue', 'present', 'serve'].map((step) => `domain.${step}`)
      expect(actions.map(({ action }) => action).toSorted()).toEqual(steps.toSorted())
    }

    /** Checks the figures about it in the metrics of the processes. */
    async function expectFigures(): Promise<void> {
      const read = async (server: ServerProcess | undefined, metric: string) => {
        const text = await (await fetch(`${server?.url}/metrics`)).text()
        const line = text.split('\n').find((one) => one.startsWith(`${metric} `))
        return line === undefined ? undefined : Number(line.slice(metric.length))
      }
      const [first] = pairs.worker
      const orders = await db.selectFrom('acme_orders').select('state').where('state', '=', 'issued').execute()
      expect(await read(first, 'atoll_certificate_orders{state="issued"}')).toBe(orders.length)
      const { ends } = await db
        .selectFrom('certificates')
        .select((from) => from.fn.min<Date>('not_after').as('ends'))
        .executeTakeFirstOrThrow()
      const secondsLeft = (new Date(ends).getTime() - Date.now()) / 1000
      const shown = await read(first, 'atoll_certificate_expiry_seconds{scope="domains"}')
      expect(Math.abs((shown ?? Number.NaN) - secondsLeft)).toBeLessThan(3600)
      await client.send(domainCheck, { domain })
      const checks = () => pairs.worker.map((worker) => read(worker, 'atoll_domain_checks_total{outcome="passed"}'))
      await until('a check is counted', async () => (await Promise.all(checks())).some((count) => (count ?? 0) > 0))
      const answered = await read(pairs.dns[0], 'atoll_dns_queries_total{transport="udp",outcome="NOERROR"}')
      expect(answered).toBeGreaterThan(0)
    }

    let isOver = false
    // Ends when the domain has walked; rejects as soon as a question stays unanswered or a process does not come back.
    const meanwhile = Promise.all([killAtRandom(() => isOver), askThroughout(() => isOver)])
    try {
      await Promise.race([walk(), meanwhile])
    } finally {
      isOver = true
    }
    const [killed, answered] = await meanwhile
    expect(new Set(killed).size).toBe(8)
    expect(answered).toBeGreaterThan(killed.length)
    await expectOne()
    for (const host of [`lena.${domain}`, `files.lena.${domain}`]) {
      const shown = await Promise.all(tlsPorts.map((port) => handshake(port, host)))
      expect(shown[1]).toBe(shown[0])
    }
    for (const port of dnsPorts) {
      const reply = await ask(
        { address: '127.0.0.1', port },
        { name: `lena.${domain}`, type: 'A' },
        { recursive: false },
      )
      expect(reply?.answers).toEqual([expect.objectContaining({ data: '192.0.2.40' })])
    }
    await expectFigures()

    await client.ask(domainDelete, { domain, confirm: domain })
    expect((await client.ask(domainList, {})).domains).toEqual([])
    expect(await db.selectFrom('zones').select('domain').where('domain', '=', domain).execute()).toEqual([])
    for (const port of dnsPorts)
      await until('its zone is no longer served', async () => {
        const reply = await ask({ address: '127.0.0.1', port }, { name: domain, type: 'SOA' }, { recursive: false })
        return reply?.code === refused
      })
  })
})
