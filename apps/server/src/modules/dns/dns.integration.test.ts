import { connect } from 'node:net'
import {
  createTestDatabase,
  dig,
  findFreeUdpPorts,
  type ServerProcess,
  startServer,
  type TestDatabase,
  until,
  whyNoDnsPrograms,
} from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type Database } from '../../platform/db/index.ts'
import { removeZone, setZone, type ZoneInput } from './index.ts'

const missing = whyNoDnsPrograms()
let testDatabase: TestDatabase
let database: Database
let ports: [number, number]
let servers: ServerProcess[] = []

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ connectionString: testDatabase.url })
  const [one = 0, two = 0] = await findFreeUdpPorts(2)
  ports = [one, two]
  const env = {
    DATABASE_URL: testDatabase.url,
    ATOLL_SECRET_KEY: 'a key that both processes have in common',
    ATOLL_NAME_SERVERS: 'ns1.host.example=192.0.2.1,ns2.host.example=192.0.2.2',
    ATOLL_DNS_RATE: '0',
  }
  const start = (port: number) => startServer({ roles: ['dns'], env: { ...env, ATOLL_DNS_PORT: String(port) } })
  servers = await Promise.all(ports.map(start))
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.dispose()))
  await database.close()
  await testDatabase.drop()
})

const nameServers = ['ns1.host.example', 'ns2.host.example']
const set = (zone: Omit<ZoneInput, 'nameServers'>) =>
  database.db.transaction().execute((trx) => setZone(trx, { nameServers, ...zone }))
const ask = (port: number, ...args: string[]) => dig('@127.0.0.1', '-p', String(port), '+norec', ...args)
/** The answer's records as `dig` writes them, with one blank between the fields. */
const short = async (port: number, ...args: string[]) =>
  (await ask(port, '+noall', '+answer', ...args))
    .trim()
    .replaceAll(/[ \t]+/g, ' ')
    .split('\n')
    .filter(Boolean)
    .toSorted()

async function onBoth(question: string[], expected: string[]): Promise<void> {
  for (const port of ports)
    await until(
      `${question.join(' ')} at ${port} is ${expected.join(', ')}`,
      async () => (await short(port, ...question)).join('\n') === expected.join('\n'),
      { onTimeout: () => ask(port, ...question) },
    )
}

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
  let version: number
  beforeAll(async () => {
    ;({ version } = await set({
      domain,
      records: [
        { name: domain, type: 'CAA', value: '0 issue "ca.example"' },
        { name: `lena.${domain}`, type: 'A', value: '192.0.2.10' },
        { name: `lena.${domain}`, type: 'AAAA', value: '2001:db8::10' },
        { name: `*.lena.${domain}`, type: 'A', value: '192.0.2.10' },
        { name: `deep.down.${domain}`, type: 'TXT', value: 'with "quotes" and \\' },
        { name: `alias.${domain}`, type: 'CNAME', value: `lena.${domain}` },
        ...Array.from({ length: 100 }, (_, index) => ({
          name: `many.${domain}`,
          type: 'A' as const,
          value: `192.0.2.${index}`,
        })),
      ],
    }))
    await onBoth([domain, 'CAA'], [`${domain}. 60 IN CAA 0 issue "ca.example"`])
  })

  it.each<[question: string, answer: string[]]>([
    [
      'lagoon.example NS',
      ['lagoon.example. 3600 IN NS ns1.host.example.', 'lagoon.example. 3600 IN NS ns2.host.example.'],
    ],
    ['lena.lagoon.example A', ['lena.lagoon.example. 60 IN A 192.0.2.10']],
    ['LENA.Lagoon.example AAAA', ['LENA.Lagoon.example. 60 IN AAAA 2001:db8::10']],
    ['any.thing.lena.lagoon.example A', ['any.thing.lena.lagoon.example. 60 IN A 192.0.2.10']],
    ['deep.down.lagoon.example TXT', [String.raw`deep.down.lagoon.example. 60 IN TXT "with \"quotes\" and \\"`]],
    [
      'alias.lagoon.example A',
      ['alias.lagoon.example. 60 IN CNAME lena.lagoon.example.', 'lena.lagoon.example. 60 IN A 192.0.2.10'],
    ],
    ['lena.lagoon.example ANY +notcp', ['lena.lagoon.example. 60 IN A 192.0.2.10']],
  ])('%s', async (question, answer) => {
    for (const port of ports) {
      expect(await short(port, ...question.split(' '))).toEqual(answer)
      expect(await short(port, '+tcp', ...question.split(' '))).toEqual(answer)
    }
  })

  it.each([
    [
      'lagoon.example SOA',
      /status: NOERROR.*flags: qr aa;.*ANSWER: 1,.*SOA\sns1\.host\.example\. hostmaster\.host\.example\. VERSION 7200 900 1209600 60/s,
    ],
    ['none.lagoon.example A', /status: NXDOMAIN.*flags: qr aa;.*ANSWER: 0,.*lagoon\.example\.\s+60\sIN\sSOA/s],
    ['down.lagoon.example A', /status: NOERROR.*flags: qr aa;.*ANSWER: 0,.*lagoon\.example\.\s+60\sIN\sSOA/s],
    ['lena.lagoon.example TXT', /status: NOERROR.*flags: qr aa;.*ANSWER: 0,.*IN\sSOA/s],
    ['other.example A', /status: REFUSED.*flags: qr;/s],
    ['lagoon.example AXFR +notcp', /status: REFUSED|Transfer failed/],
    ['lagoon.example SOA +edns=1 +noednsneg', /status: BADVERS/],
    ['lagoon.example SOA +opcode=notify', /status: NOTIMP/],
    ['version.bind CH TXT', /status: REFUSED/],
    ['lagoon.example SOA +dnssec', /flags: do; udp: 1232/],
    ['many.lagoon.example A +noedns +ignore', /flags: qr aa tc;.*ANSWER: 0/s],
    ['many.lagoon.example A +bufsize=4096 +ignore', /flags: qr aa tc;.*ANSWER: 0/s],
    ['many.lagoon.example A', /Truncated, retrying in TCP.*ANSWER: 100/s],
  ])('%s', async (question, expected) => {
    const pattern = new RegExp(expected.source.replace('VERSION', String(version)), expected.flags)
    for (const port of ports) expect(await ask(port, ...question.split(' '))).toMatch(pattern)
  })

  it('every version of a zone is seen at both, and a removed one is nobody’s', async () => {
    const zone = 'atoll.example'
    const records = [{ name: `lena.${zone}`, type: 'A' as const, value: '192.0.2.1' }]
    const first = await set({ domain: zone, records })
    await onBoth([`lena.${zone}`, 'A'], [`lena.${zone}. 60 IN A 192.0.2.1`])
    expect(await set({ domain: zone, records: records.toReversed() })).toEqual(first)
    const second = await set({ domain: zone, records: [] })
    expect(second.version).toBeGreaterThan(first.version)
    await onBoth([`lena.${zone}`, 'A'], [])
    await database.db.transaction().execute((trx) => removeZone(trx, { domain: zone }))
    for (const port of ports) await until('refused', async () => /REFUSED/.test(await ask(port, zone, 'SOA')))
    const third = await set({ domain: zone, records })
    expect(third.version).toBeGreaterThan(second.version)
    await onBoth([`lena.${zone}`, 'A'], [`lena.${zone}. 60 IN A 192.0.2.1`])
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
    await until('it answers again', async () => /NOERROR/.test(await ask(ports[1], '+tcp', domain, 'SOA')))
  })

  it('tells its counts, and answers on without a database', async () => {
    const metrics = await (await fetch(`${servers[0]?.url}/metrics`)).text()
    expect(metrics).toMatch(/atoll_dns_queries_total\{transport="udp",outcome="NXDOMAIN"\} [1-9]/)
    await database.close()
    await testDatabase.drop()
    for (const server of servers)
      await until('the database is missed', async () => !(await fetch(`${server.url}/readyz`)).ok)
    for (const port of ports)
      expect(await short(port, `lena.${domain}`, 'A')).toEqual([`lena.${domain}. 60 IN A 192.0.2.10`])
  })
})
