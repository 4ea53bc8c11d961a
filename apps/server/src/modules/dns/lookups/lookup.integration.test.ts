import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createZoneKey, type DnsLab, startDnsLab, whyNoDnsLab } from '@atoll/testkit'
import { decode, encode } from 'dns-packet'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { silentLog } from '../../../platform/log.ts'
import { compileZone } from '../serving/compile-zone.ts'
import { createDnsServer, type DnsServer } from '../serving/dns-server.ts'
import { createQueryCounts } from '../serving/query-counts.ts'
import { createZoneTable } from '../serving/zone-table.ts'
import { ZoneContent } from '../zones/zone.ts'
import { type Ask, ask } from './dns-client.ts'
import { listOwnRecords } from './list-own-records.ts'
import { createLookup, type LookupRequest, type LookupResult } from './lookup.ts'
import { readDirect } from './read-reply.ts'
import { seeServed } from './see-served.ts'

const missing = whyNoDnsLab()
const value = `atoll-verify=${'abcdefghijklmnopqrstuvwxyz'}`
const txt = (name: string): LookupRequest => ({
  domain: 'cloud.lagoon.example',
  want: { kind: 'txt', names: [name], value },
})
const ours = ['ns1.host.example', 'ns2.host.example']
const ns = (domain: string): LookupRequest => ({ domain, want: { kind: 'ns', servers: ours } })
const cname = (name: string): LookupRequest => ({
  domain: 'cloud.lagoon.example',
  want: { kind: 'cname', name, target: 'edge.host.example' },
})
/** `side kind` of each verdict, in order, each once. */
const kinds = ({ verdicts }: LookupResult) =>
  [...new Set(verdicts.map(({ side, kind }) => `${side} ${kind}`))].toSorted()

describe.skipIf(missing !== undefined)(
  `in a laboratory${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let lab: DnsLab
    let lookUp: ReturnType<typeof createLookup>
    let servers: DnsServer[] = []
    const silent = createSocket('udp4')

    const keys = { signed: createZoneKey('signed.example'), expired: createZoneKey('expired.example') }

    beforeAll(async () => {
      const zoneNames = [
        'example',
        'lagoon.example',
        'host.example',
        'broken.example',
        'half.example',
        'cache.example',
        'hangs.example',
        'lies.example',
        'signed.example',
        'expired.example',
      ]
      lab = await startDnsLab(
        zoneNames,
        Object.values(keys).map(({ anchor }) => anchor),
      )
      /** Retries a server that should answer, however slow the machine is. */
      const patient: Ask = async (server, question, options) => {
        for (let left = 5; ; left -= 1) {
          const reply = await ask(server, question, options)
          if (reply || left === 0 || server.address === lab.address(103)) return reply
        }
      }
      lookUp = createLookup({ resolvers: lab.resolvers, issuer: 'ca.example', ask: patient })
      const zones = createZoneTable(
        ['linked', 'signed', 'mixed'].map((label) => {
          const domain = `${label}.lagoon.example`
          const content = ZoneContent.parse({ domain, nameServers: ours, records: [] })
          return compileZone({ ...content, serial: 7 })
        }),
      )
      for (const last of [101, 102]) {
        const server = createDnsServer({ zones, counts: createQueryCounts(), log: silentLog, rate: 0 })
        await server.listen(lab.address(last), 53)
        servers.push(server)
      }
      silent.bind(53, lab.address(103))
      await once(silent, 'listening')
      const numbers = Array.from({ length: 9 }, (_, index) => `chain${index} CNAME chain${index + 1}`)
      await lab.setZone('host.example', [
        `ns1 A ${lab.address(101)}`,
        `ns2 A ${lab.address(102)}`,
        `refusing A ${lab.address(101)}`,
        `silent A ${lab.address(103)}`,
        'edge A 192.0.2.1',
      ])
      await lab.setZone('lagoon.example', [
        `right TXT "${value}"`,
        `parts TXT "${value.slice(0, 5)}" "${value.slice(5, 9)}" "${value.slice(9, 20)}" "${value.slice(20)}"`,
        `near TXT "${value.replace('z', '2')}"`,
        `other TXT "v=spf1 -all"`,
        `quoted TXT "\\"${value}\\""`,
        `doubled.lagoon.example TXT "${value}"`,
        'elsewhere CNAME right',
        'circle CNAME circle2',
        'circle2 CNAME circle',
        ...Array.from({ length: 12 }, (_, index) => `large TXT "${String(index).repeat(200).slice(0, 200)}"`),
        `large TXT "${value}"`,
        ...['linked', 'signed', 'mixed'].flatMap((label) => ours.map((host) => `${label} NS ${host}.`)),
        'mixed NS one.lab.',
        'wrong NS ns1.hosts.example.',
        `signed DS 12345 8 2 ${'0123456789abcdef'.repeat(4)}`,
        '*.cloud CNAME edge.host.example.',
        '*.proxied A 192.0.2.77',
        'served A 192.0.2.78',
        `bare TXT "${value}"`,
        `sub TXT "${value}"`,
        'star CNAME edge.host.example.',
        ...ours.map((host) => `twice.lagoon.example NS ${host}.`),
        ...numbers,
        'chain9 CNAME edge.host.example.',
        'cloud CAA 0 issue "other.example"',
        'own MX 10 mail.own',
        'own A 192.0.2.5',
        'own TXT "v=spf1" " -all"',
        'own CAA 0 issue "ca.example"',
        '_dmarc.own TXT "v=DMARC1; p=none"',
        'key._domainkey.own CNAME right',
      ])
      await lab.setZone('broken.example', [`right TXT "${value}"`])
      const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000)
      const holding = { from: hoursFromNow(-48), until: hoursFromNow(24) }
      await lab.setZone('signed.example', keys.signed.sign({ right: value }, holding))
      const over = { from: hoursFromNow(-72), until: hoursFromNow(-48) }
      await lab.setZone('expired.example', keys.expired.sign({ right: value }, over))
      await lab.setZone('half.example', [
        `right TXT "${value}"`,
        '@ NS refusing.host.example.',
        '@ NS silent.host.example.',
      ])
      await lab.setZone('hangs.example', [`right TXT "${value}"`, '@ NS silent.host.example.'])
      await lab.setZone('lies.example', [`right TXT "${value}"`, '@ NS silent.host.example.'])
      const lie = [`right TXT "${value.toUpperCase()}"`, '@ NS silent.host.example.']
      await lab.setZone('lies.example', lie, { at: 'two' })
      await lab.setZone('half.example', ['@ NS refusing.host.example.', '@ NS silent.host.example.'], { at: 'two' })
    })
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.close()))
      servers = []
      silent.close()
      await lab[Symbol.asyncDispose]()
    })

    it('lists what moves with a name, and says when nobody answers', async () => {
      const name = 'own.lagoon.example'
      const below = [`_dmarc.${name}`, `key._domainkey.${name}`, `none._domainkey.${name}`]
      expect(await listOwnRecords(ask, lab.resolvers, name, below)).toEqual([
        { type: 'MX', name, values: ['10 mail.own.lagoon.example'] },
        { type: 'A', name, values: ['192.0.2.5'] },
        { type: 'TXT', name, values: ['v=spf1 -all'] },
        { type: 'CAA', name, values: ['0 issue "ca.example"'] },
        { type: 'TXT', name: below[0], values: ['v=DMARC1; p=none'] },
        { type: 'CNAME', name: below[1], values: ['right.lagoon.example'] },
      ])
      expect(await listOwnRecords(ask, lab.resolvers, 'nothing.lagoon.example', [])).toEqual([])
      const nobody = [{ name: 'Nobody', address: lab.address(103), port: 53 }]
      expect(await listOwnRecords(ask, nobody, name, below)).toBeNull()
    })

    it.each<[string, () => LookupRequest, boolean, string[]]>([
      ['a text', () => txt('right.lagoon.example'), true, ['parent match', 'resolver match']],
      ['in upper case', () => txt('RIGHT.Lagoon.Example'), true, ['parent match', 'resolver match']],
      ['in four strings', () => txt('parts.lagoon.example'), true, ['parent match', 'resolver match']],
      ['among so many that it needs TCP', () => txt('large.lagoon.example'), true, ['parent match', 'resolver match']],
      ['behind an alias', () => txt('elsewhere.lagoon.example'), true, ['parent match', 'resolver match']],
      ['in quotes', () => txt('quoted.lagoon.example'), true, ['parent quoted', 'resolver quoted']],
      ['nearly', () => txt('near.lagoon.example'), false, ['parent wrongValue', 'resolver wrongValue']],
      ['another one', () => txt('other.lagoon.example'), false, ['parent wrongValue', 'resolver wrongValue']],
      ['none', () => txt('none.lagoon.example'), false, ['parent missing', 'resolver missing']],
      ['name doubled', () => txt('doubled.lagoon.example'), false, ['parent nameDoubled', 'resolver missing']],
      ['without the underscore', () => txt('_bare.lagoon.example'), false, ['parent noUnderscore', 'resolver missing']],
      ['a text a label higher', () => txt('_x.sub.lagoon.example'), false, ['parent wrongPlace', 'resolver missing']],
      [
        'an alias without the star',
        () => cname('*.star.lagoon.example'),
        false,
        ['parent caaForbids', 'parent wrongPlace', 'resolver missing'],
      ],
      [
        'name servers at a doubled name',
        () => ns('twice.lagoon.example'),
        false,
        ['parent nameDoubled', 'resolver missing'],
      ],
      [
        'an address instead of name servers',
        () => ns('served.lagoon.example'),
        false,
        ['parent ownAddress', 'resolver missing'],
      ],
      ['aliases in a circle', () => txt('circle.lagoon.example'), false, ['parent noAnswer', 'resolver noAnswer']],
      [
        'signatures that do not hold',
        () => txt('right.broken.example'),
        false,
        ['parent match', 'resolver dnssecBroken', 'resolver match'],
      ],
      ['signed', () => txt('right.signed.example'), true, ['parent match', 'resolver match']],
      ['delegated', () => ns('linked.lagoon.example'), true, ['parent match', 'resolver match']],
      ['not delegated', () => ns('none.lagoon.example'), false, ['parent missing', 'resolver missing']],
      [
        'delegated to a name like ours',
        () => ns('wrong.lagoon.example'),
        false,
        ['parent wrongValue', 'resolver noAnswer'],
      ],
      [
        'a DS record left',
        () => ns('signed.lagoon.example'),
        false,
        ['parent dsLeft', 'parent match', 'resolver match'],
      ],
      [
        'an address of one’s own',
        () => cname('*.proxied.lagoon.example'),
        false,
        ['parent caaForbids', 'parent ownAddress', 'resolver missing'],
      ],
      [
        'an alias, and our CA forbidden',
        () => cname('*.cloud.lagoon.example'),
        true,
        ['parent caaForbids', 'parent match', 'resolver match'],
      ],
      [
        '9 aliases in a row',
        () => cname('chain1.lagoon.example'),
        false,
        ['parent caaForbids', 'parent wrongValue', 'resolver wrongValue'],
      ],
    ])('is told what the servers answered: %s', async (_, request, passed, expected) => {
      const found = await lookUp(request())
      expect({ kinds: kinds(found), passed: found.passed }, JSON.stringify(found.verdicts)).toEqual({
        kinds: expected,
        passed,
      })
    })

    it('a signature that has run out lets nothing pass', async () => {
      const { passed, verdicts } = await lookUp(txt('right.expired.example'))
      expect(passed).toBe(false)
      expect(verdicts.filter(({ kind }) => kind !== 'match')).toEqual([
        expect.objectContaining({ server: 'Checking', kind: 'dnssecBroken', extendedError: expect.any(Number) }),
      ])
    })

    it('delegated to others too', async () => {
      const found = await lookUp(ns('mixed.lagoon.example'))
      // A resolver asks any of them.
      const parents = found.verdicts.filter(({ side }) => side === 'parent')
      expect({ passed: found.passed, kinds: kinds({ ...found, verdicts: parents }) }).toEqual({
        passed: false,
        kinds: ['parent otherServers'],
      })
    })

    it('of four servers one has it, one lacks it, one refuses and one is silent', async () => {
      const found = await lookUp(txt('right.half.example'))
      const parents = found.verdicts.filter(({ side }) => side === 'parent')
      expect(Object.fromEntries(parents.map(({ server, kind }) => [server, kind]))).toEqual({
        'one.lab': 'match',
        'two.lab': 'serversDisagree',
        'refusing.host.example': 'refused',
        'silent.host.example': 'noAnswer',
      })
      expect(found.passed).toBe(false)
    })

    const atParents = ({ passed, verdicts }: LookupResult) => ({
      passed,
      ...Object.fromEntries(verdicts.filter(({ side }) => side === 'parent').map(({ server, kind }) => [server, kind])),
    })
    it('a server that hangs delays nothing, where all that answer agree', async () => {
      const expected = { passed: true, 'one.lab': 'match', 'two.lab': 'match', 'silent.host.example': 'noAnswer' }
      expect(atParents(await lookUp(txt('right.hangs.example')))).toEqual(expected)
    })

    it('beside one that hangs, one that lies is seen to: nothing passes', async () => {
      const found = atParents(await lookUp(txt('right.lies.example')))
      expect(found).toMatchObject({ passed: false, 'one.lab': 'match', 'silent.host.example': 'noAnswer' })
      expect(['wrongValue', 'serversDisagree']).toContain(found['two.lab' as keyof typeof found])
    })

    it('what a cache still denies is reported with the time, and delays nothing', async () => {
      await lab.setZone('cache.example', [], { negativeTtl: 55 })
      expect(kinds(await lookUp(txt('late.cache.example')))).toEqual(['parent missing', 'resolver missing'])
      await lab.setZone('cache.example', [`late TXT "${value}"`])
      const found = await lookUp(txt('late.cache.example'))
      expect(found.passed).toBe(true)
      const cached = found.verdicts.filter(({ kind }) => kind === 'stillCached')
      expect(cached).toHaveLength(2)
      for (const { clearsIn } of cached) expect(clearsIn).toBeLessThanOrEqual(55)
    })

    it('whether our servers serve a version', async () => {
      const nameServers = [101, 102].map((last) => ({
        host: `ns${last}.example`,
        address: lab.address(last),
        port: 53,
      }))
      const domain = 'linked.lagoon.example'
      const seen = async (name: string, version: number, servers = nameServers) =>
        (await seeServed(ask, servers, { domain: name, version })).map(({ isServed }) => isServed)
      expect(await seen(domain, 7)).toEqual([true, true])
      expect(await seen(domain, 8)).not.toContain(true)
      expect(await seen('none.example', 1)).not.toContain(true)
      const silent = { host: 'silent.example', address: lab.address(104), port: 53 }
      expect(await seen(domain, 7, [...nameServers, silent])).toEqual([true, true, false])
    })

    it('nobody’s resolvers are asked in vain: without any the lookup fails', async () => {
      const alone = createLookup({ resolvers: [{ name: 'Nobody', address: lab.address(105), port: 53 }] })
      expect(await alone(txt('right.lagoon.example'))).toEqual({
        passed: false,
        answered: false,
        verdicts: [expect.objectContaining({ side: 'resolver', server: 'Nobody', kind: 'noAnswer' })],
      })
    })
  },
)

describe.concurrent('an answer counts only', () => {
  const question = { name: 'right.example', type: 'TXT' } as const
  it.each<[string, (query: Buffer) => Buffer]>([
    ['with the id asked', (query) => withId(query, decode(query).id ?? 0, 1)],
    [
      'for the name asked',
      (query) =>
        encode({ type: 'response', id: decode(query).id ?? 0, questions: [{ name: 'left.example', type: 'TXT' }] }),
    ],
    [
      'for the type asked',
      (query) =>
        encode({ type: 'response', id: decode(query).id ?? 0, questions: [{ name: 'right.example', type: 'A' }] }),
    ],
    ['when it is an answer', (query) => query],
    ['when it can be read', (query) => withId(query, 0, 0).subarray(0, 14)],
  ])('%s', async (_, forge) => {
    const server = createSocket('udp4')
    onTestFinished(() => void server.close())
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    const ids = new Set<number>()
    const ports = new Set<number>()
    server.on('message', (query, peer) => {
      ids.add(query.readUInt16BE(0))
      ports.add(peer.port)
      server.send(forge(query), peer.port, peer.address)
    })
    expect(
      await ask({ address: '127.0.0.1', port: server.address().port }, question, { recursive: false }),
    ).toBeUndefined()
    expect([ids.size, ports.size]).toEqual([2, 2])
  })
})

it('an answer from another port than the one asked is passed over, however right', async () => {
  const question = { name: 'right.example', type: 'TXT' } as const
  const [server, stranger] = [createSocket('udp4'), createSocket('udp4')]
  onTestFinished(() => [server, stranger].forEach((socket) => void socket.close()))
  for (const socket of [server, stranger]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
  }
  let asked = 0
  const at = { address: '127.0.0.1', port: server.address().port }
  server.on('message', (query, peer) => {
    asked += 1
    stranger.send(withId(query, decode(query).id ?? 0, 0), peer.port, peer.address)
  })
  expect(await ask(at, question, { recursive: false })).toBeUndefined()
  expect(asked).toBe(2)
  // The same bytes from where it was asked.
  server.on('message', (query, peer) => server.send(withId(query, decode(query).id ?? 0, 0), peer.port, peer.address))
  expect(await ask(at, question, { recursive: false })).toMatchObject({ code: 0 })
})

it('null characters in texts, names and tags are escaped as zone files escape them', async () => {
  const server = createSocket('udp4')
  onTestFinished(() => void server.close())
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const name = 'right.example'
  server.on('message', (query, peer) => {
    const { id = 0, questions = [] } = decode(query)
    const answers = [
      { name, type: 'TXT' as const, data: [Buffer.from('a\0b'), Buffer.from('🏝\0')] },
      { name, type: 'CNAME' as const, data: 'a\0b.example' },
      { name, type: 'CAA' as const, data: { flags: 0, tag: 'issue' as const, value: 'ca\0.example' } },
    ]
    server.send(encode({ type: 'response', id, questions, answers }), peer.port, peer.address)
  })
  const at = { name: 'server', address: '127.0.0.1', port: server.address().port }
  const reply = await ask(at, { name, type: 'TXT' }, { recursive: false })
  expect(JSON.stringify(reply)).not.toContain('\\u0000')
  expect(reply?.answers?.[1]).toMatchObject({ data: 'a\\000b.example' })
  expect(reply?.answers?.[2]).toMatchObject({ data: { value: 'ca\\000.example' } })
  expect(readDirect(reply, { name, type: 'TXT' }, 'example')).toMatchObject({
    kind: 'values',
    values: ['a\\000b🏝\\000'],
  })
})

function withId(query: Buffer, id: number, more: number): Buffer {
  const questions = [{ name: 'right.example', type: 'TXT' as const }]
  return encode({ type: 'response', id: (id + more) % 0x10000, questions: query.length > 0 ? questions : [] })
}
