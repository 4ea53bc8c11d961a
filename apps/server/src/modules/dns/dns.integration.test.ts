import { connect } from 'node:net'
import {
  createTestDatabase,
  findFreePorts,
  type ServerProcess,
  startServer,
  type TestDatabase,
  until,
  whyNoDnsPrograms,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type Database } from '../../platform/db/index.ts'
import { removeZone, setZone } from './index.ts'
import { askAt, nameServerConformance, setZoneAt, shortAt } from './testing/name-server-conformance.ts'
import type { ZoneInput } from './zones/zone.ts'

const missing = whyNoDnsPrograms()
let testDatabase: TestDatabase
let database: Database
let ports: [number, number]
let servers: ServerProcess[] = []

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ connectionString: testDatabase.url })
  const [one = 0, two = 0] = await findFreePorts(2)
  ports = [one, two]
  const env = {
    DATABASE_URL: testDatabase.url,
    ATOLL_SECRET_KEY: 'a key that both processes have in common',
    ATOLL_NAME_SERVERS: 'ns1.host.example=192.0.2.1,ns2.host.example=192.0.2.2',
    ATOLL_DNS_RATE: '0',
  }
  const start = (port: number, ...more: 'vault'[]) =>
    startServer({ roles: ['dns', ...more], env: { ...env, ATOLL_DNS_PORT: String(port) } })
  servers = await Promise.all([start(one), start(two, 'vault')])
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.dispose()))
  await database.close()
  await testDatabase.drop()
})

const served = () => ({ ports, db: database.db, zones: { setZone, removeZone } })
const set = (zone: Omit<ZoneInput, 'nameServers'> & Partial<ZoneInput>) => setZoneAt(served(), zone)

describe('a zone is refused', () => {
  const domain = 'refused.example'
  const a = { name: domain, type: 'A' as const, value: '192.0.2.1' }
  it.each<[string, Partial<ZoneInput>, RegExp]>([
    ['with a label of 64', { domain: `${'a'.repeat(64)}.example` }, /domain/],
    ['in upper case', { domain: 'Refused.example' }, /domain/],
    ['without name servers', { nameServers: [] }, /nameServers/],
    ['with a record of somebody else', { records: [{ ...a, name: 'other.example' }] }, /records.*0.*name/s],
    ['with an address that is none', { records: [{ ...a, value: '192.0.2.256' }] }, /records.*0.*value/s],
    ['with an alias at its own name', { records: [{ ...a, type: 'CNAME', value: 'b.example' }] }, /records.*0.*type/s],
  ])('%s', async (_, change, message) => {
    await expect(set({ domain, records: [a], ...change })).rejects.toThrow(message)
  })
})

describe.skipIf(missing !== undefined)(`dig says${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  const domain = 'lagoon.example'
  nameServerConformance(served)

  it('that a question for any record has one in its answer', async () => {
    for (const port of ports)
      expect(await shortAt(port, 'lena.lagoon.example', 'ANY', '+notcp')).toEqual([
        'lena.lagoon.example. 60 IN A 192.0.2.10',
      ])
  })

  it.each([
    ['lagoon.example SOA +opcode=notify', /status: NOTIMP/],
    ['version.bind CH TXT', /status: REFUSED/],
    ['lagoon.example SOA +dnssec', /flags: do; udp: 1232/],
    ['many.lagoon.example A +noedns +ignore', /flags: qr aa tc;.*ANSWER: 0/s],
    ['many.lagoon.example A +bufsize=4096 +ignore', /flags: qr aa tc;.*ANSWER: 0/s],
  ])('what else our server answers to %s', async (question, expected) => {
    for (const port of ports) expect(await askAt(port, ...question.split(' '))).toMatch(expected)
  })

  it('questions over one connection are answered one after another; one that claims too much ends it', async () => {
    const socket = connect(ports[0], '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    const question = Buffer.from(
      '00070000000100000000000006 6c61676f6f6e 07 6578616d706c65 00 0006 0001'.replaceAll(' ', ''),
      'hex',
    )
    const framed = Buffer.concat([Buffer.from([0, question.length]), question])
    socket.write(Buffer.concat([framed, framed, framed.subarray(0, 5)]))
    socket.write(framed.subarray(5))
    await until('three answers', () => Buffer.concat(chunks).length === 3 * (2 + Buffer.concat(chunks).readUInt16BE(0)))
    socket.write(Buffer.from([0xff, 0xff, 0]))
    await closed
  })

  it('one address has at most 100 connections', async () => {
    const sockets = Array.from({ length: 130 }, () => connect(ports[1], '127.0.0.1'))
    let ended = 0
    for (const socket of sockets) socket.on('error', () => undefined).on('close', () => (ended += 1))
    await until('the others are ended', () => ended === 30)
    for (const socket of sockets) socket.destroy()
    await until('it answers again', async () => /NOERROR/.test(await askAt(ports[1], '+tcp', domain, 'SOA')))
  })

  it('reports its counts, and answers on without a database', async () => {
    const metrics = await (await fetch(`${servers[0]?.url}/metrics`)).text()
    expect(metrics).toMatch(/atoll_dns_queries_total\{transport="udp",outcome="NXDOMAIN"\} [1-9]/)
    await database.close()
    await testDatabase.drop()
    // The zones in memory are enough: it stays ready and says that the database is away.
    for (const server of servers) {
      const said = async () => await (await fetch(`${server.url}/readyz`)).json()
      await until('the database is missed', async () => /"database":"away: /.test(JSON.stringify(await said())))
      expect(await said()).toMatchObject({ ready: true, ports: 'ok' })
    }
    for (const port of ports)
      expect(await shortAt(port, `lena.${domain}`, 'A')).toEqual([`lena.${domain}. 60 IN A 192.0.2.10`])
  })
})
