import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSeededRandom } from '@atoll/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRecord, questionBytes, readAnswer } from '../testing/ask.ts'
import { plainAnswer } from '../testing/plain-model.ts'
import { type Zone, ZoneContent } from '../zones/zone.ts'
import { compileZone } from './compile-zone.ts'
import { respond, truncatedAnswer } from './respond.ts'
import { createZoneTable } from './zone-table.ts'

function zoneOf(domain: string, records: [name: string, type: string, value: string][], serial = 1): Zone {
  const input = { domain, nameServers: ['ns1.host.example', 'ns2.host.example'] }
  // The parts are texts here; the schema says which may stand together.
  return {
    ...ZoneContent.parse({ ...input, records: records.map(([name, type, value]) => ({ name, type, value })) }),
    serial,
  }
}
const serve = (...zones: Zone[]) => createZoneTable(zones.map(compileZone))

const members = zoneOf('lagoon.example', [
  ['lagoon.example', 'CAA', '0 issue "ca.example"'],
  ['lena.lagoon.example', 'A', '192.0.2.1'],
  ['lena.lagoon.example', 'AAAA', '2001:db8::1'],
  ['*.lena.lagoon.example', 'A', '192.0.2.1'],
  ['alias.lagoon.example', 'CNAME', 'Lena.lagoon.example'.toLowerCase()],
  ['away.lagoon.example', 'CNAME', 'edge.host.example'],
  ['_acme-challenge.lagoon.example', 'TXT', 'one'],
  ['_acme-challenge.lagoon.example', 'TXT', 'two'],
  ...Array.from({ length: 60 }, (_, index): [string, string, string] => [
    'many.lagoon.example',
    'A',
    `192.0.2.${index}`,
  ]),
])
const zones = serve(members)

function ask(
  name: string,
  type: Parameters<typeof questionBytes>[1],
  options: Parameters<typeof questionBytes>[2] = {},
) {
  const response = respond(zones, questionBytes(name, type, options), 'udp')
  if (!response) throw new Error('no answer')
  const packet = readAnswer(response.bytes)
  return {
    ...packet,
    rcode: response.rcode,
    source: response.source,
    answers: (packet.answers ?? []).map(formatRecord),
    length: response.bytes.length,
  }
}

/** Some of a few names and values, so that they meet. Owners with two aliases or an alias and more are no zones. */
const labels = ['a', 'b', 'c', '*']
const below = (most: number) =>
  fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 0, maxLength: most })
    .map((list) => list.map((label) => `${label}.`).join(''))
function anyZone(domain: string): fc.Arbitrary<Zone> {
  const owner = fc.tuple(fc.constantFrom('', '', '*.'), below(2)).map(([star, rest]) => `${star}${rest}${domain}`)
  const record = fc.oneof(
    fc.tuple(owner, fc.constant('A'), fc.constantFrom('192.0.2.1', '192.0.2.2')),
    fc.tuple(owner, fc.constant('AAAA'), fc.constantFrom('2001:db8::1', '2001:db8::2')),
    fc.tuple(owner, fc.constant('TXT'), fc.constantFrom('one', '')),
    fc.tuple(owner, fc.constant('CAA'), fc.constantFrom('0 issue ";"', '128 iodef "mailto:a@b.example"')),
    fc.tuple(
      owner,
      fc.constant('CNAME'),
      fc.oneof(
        below(3).map((name) => `${name}${domain}`),
        fc.constant('edge.host.example'),
      ),
    ),
  )
  return fc.array(record, { maxLength: 12 }).map((records) => {
    const unique = [...new Map(records.map((one) => [one.join(' '), one])).values()]
    const isAlone = ([name, type]: [string, string, string]) =>
      type === 'CNAME' && name !== domain && unique.filter((other) => other[0] === name).length === 1
    return zoneOf(
      domain,
      unique.filter((one) => one[1] !== 'CNAME' || isAlone(one)),
      1 + (unique.length % 7),
    )
  })
}

describe('answers', () => {
  it('are those of a plain model, to 10^5 questions', () => {
    const prefixes = ['', ...labels, ...labels.flatMap((a) => labels.map((b) => `${a}.${b}`))]
    const deeper = prefixes.flatMap((prefix) =>
      prefix.split('.').length === 2 ? labels.map((l) => `${l}.${prefix}`) : [],
    )
    const names = [...prefixes, ...deeper].map((prefix) => (prefix === '' ? '' : `${prefix}.`))
    const types = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA', 'NS', 'SOA'] as const
    let asked = 0
    const anyZones = fc.tuple(anyZone('x.example'), fc.option(anyZone('a.x.example')))
    fc.assert(
      fc.property(anyZones, fc.nat(), ([outer, inner], chosen) => {
        const all = inner ? [outer, inner] : [outer]
        const served = serve(...all)
        for (const [index, prefix] of names.entries()) {
          const name = `${(chosen + index) % 5 === 0 ? prefix.toUpperCase() : prefix}${index % 29 === 0 ? 'y' : 'x'}.eXample`
          for (const type of types) {
            asked += 1
            const response = respond(served, questionBytes(name, type), 'tcp')
            const packet = readAnswer(response?.bytes ?? Buffer.alloc(0))
            const expected = plainAnswer(all, name, type)
            const soa = packet.authorities?.map(formatRecord).join()
            const serial = all.find(({ domain }) => domain === expected.soa)?.serial
            expect(
              {
                rcode: response?.rcode,
                answers: packet.answers?.map(formatRecord).toSorted(),
                soa,
                name: packet.questions?.[0]?.name,
              },
              `${name} ${type}`,
            ).toEqual({
              rcode: expected.rcode,
              answers: expected.answers.toSorted(),
              soa: expected.soa === undefined ? '' : `${expected.soa} SOA ${serial}`,
              name,
            })
          }
        }
      }),
      { numRuns: 180 },
    )
    expect(asked).toBeGreaterThan(100_000)
  })

  it('repeat the question letter for letter, with its id and "recursion desired"', () => {
    const question = questionBytes('LeNa.LAGOON.example', 'A')
    question.writeUInt16BE(0x0100, 2)
    const bytes = respond(zones, question, 'udp')?.bytes
    expect(bytes?.subarray(12, question.length)).toEqual(question.subarray(12))
    expect(bytes?.readUInt16BE(0)).toBe(7)
    expect(bytes?.readUInt16BE(2)).toBe(0x8500)
  })

  it('stand under names with bytes of any kind', () => {
    const question = questionBytes('xxxx.lena.lagoon.example', 'A')
    question.set([0x2e, 0xff, 0x00, 0x5c], 13)
    const response = respond(zones, question, 'udp')
    expect(response).toMatchObject({ rcode: 'NOERROR', source: '*.lena.lagoon.example' })
    expect(response?.bytes.subarray(12, question.length)).toEqual(question.subarray(12))
  })

  it('follow aliases inside their zone only', () => {
    expect(ask('alias.lagoon.example', 'AAAA').answers).toEqual([
      'alias.lagoon.example CNAME lena.lagoon.example',
      'lena.lagoon.example AAAA 2001:db8::1',
    ])
    expect(ask('away.lagoon.example', 'A').answers).toEqual(['away.lagoon.example CNAME edge.host.example'])
  })

  it('to ANY are one set', () => {
    expect(ask('lena.lagoon.example', 'ANY').answers).toEqual(['lena.lagoon.example A 192.0.2.1'])
    expect(ask('alias.lagoon.example', 'ANY').answers).toEqual(['alias.lagoon.example CNAME lena.lagoon.example'])
  })

  it('to random names have one source', () => {
    expect(ask('x1.lena.lagoon.example', 'A').source).toBe(ask('x2.y.lena.lagoon.example', 'A').source)
    expect(ask('x1.lagoon.example', 'A').source).toBe(ask('x2.lagoon.example', 'A').source)
  })

  it.each([
    ['plain', {}, 512, true],
    ['with a smaller offer', { edns: 100 }, 512, true],
    ['with EDNS', { edns: 4096 }, 1232, false],
  ])('%s keep to a size', (_, options, most, isCut) => {
    const packet = ask('many.lagoon.example', 'A', options)
    expect(packet.flag_tc).toBe(isCut)
    expect(packet.answers).toHaveLength(isCut ? 0 : 60)
    expect(packet.length).toBeLessThanOrEqual(most)
    const whole = respond(zones, questionBytes('many.lagoon.example', 'A', options), 'tcp')
    expect(readAnswer(whole?.bytes ?? Buffer.alloc(0)).answers).toHaveLength(60)
  })
})

describe('refused is', () => {
  const withFlags = (flags: number) => {
    const packet = questionBytes('lena.lagoon.example', 'A')
    packet.writeUInt16BE(flags, 2)
    return packet
  }
  const plain = questionBytes('lena.lagoon.example', 'A')
  const edit = (change: (packet: Buffer) => void) => {
    const packet = Buffer.from(plain)
    change(packet)
    return packet
  }
  it.each<[string, Buffer, string]>([
    ['a name of nobody', questionBytes('other.example', 'A'), 'REFUSED'],
    ['the root', questionBytes('.', 'NS'), 'REFUSED'],
    ['a copy of the zone', questionBytes('lagoon.example', 'AXFR'), 'REFUSED'],
    ['part of a copy', questionBytes('lagoon.example', 'IXFR'), 'REFUSED'],
    ['another class', edit((packet) => packet.writeUInt16BE(3, packet.length - 2)), 'REFUSED'],
    ['another opcode', withFlags(0x2800), 'NOTIMP'],
    ['a type that is no record', questionBytes('lagoon.example', 'TKEY'), 'NOTIMP'],
    ['a later EDNS', questionBytes('lagoon.example', 'SOA', { edns: 1232, ednsVersion: 1 }), 'BADVERS'],
    ['two questions', edit((packet) => packet.writeUInt16BE(2, 4)), 'FORMERR'],
    ['no question', edit((packet) => packet.writeUInt16BE(0, 4)), 'FORMERR'],
    ['what ends too early', plain.subarray(0, -1), 'FORMERR'],
    ['more records than there are', edit((packet) => packet.writeUInt16BE(0xffff, 10)), 'FORMERR'],
    ['a pointer to itself', edit((packet) => packet.writeUInt16BE(0xc00c, 12)), 'FORMERR'],
    [
      'a label of 64',
      Buffer.concat([plain.subarray(0, 12), Buffer.from([64]), Buffer.alloc(64, 97), Buffer.from([0, 0, 1, 0, 1])]),
      'FORMERR',
    ],
    ['a question of more than 1232 bytes', Buffer.concat([plain, Buffer.alloc(1232)]), 'FORMERR'],
  ])('%s', (_, packet, rcode) => {
    const response = respond(zones, packet, 'udp')
    expect(response?.rcode).toBe(rcode)
    expect(readAnswer(response?.bytes ?? Buffer.alloc(0)).answers).toEqual([])
  })

  it('nothing at all to what is an answer itself, or too short', () => {
    expect(respond(zones, withFlags(0x8000), 'udp')).toBeUndefined()
    expect(respond(zones, Buffer.alloc(11), 'udp')).toBeUndefined()
  })
})

it('ask over TCP says no more than was asked', () => {
  const question = questionBytes('lena.lagoon.example', 'A', { edns: 1232 })
  const bytes = truncatedAnswer(question)
  expect(bytes.length).toBeLessThanOrEqual(question.length)
  expect(readAnswer(bytes)).toMatchObject({
    flag_tc: true,
    id: 7,
    answers: [],
    questions: [{ name: 'lena.lagoon.example' }],
  })
})

it('10^6 packets of any bytes get an answer that can be read, or none, and leave nothing in memory', () => {
  const random = createSeededRandom(14)
  const byte = () => random.between(0, 255)
  v8.setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  const plain = questionBytes('lena.lagoon.example', 'A', { edns: 1232 })
  for (let count = 0; count < 1_000_000; count += 1) {
    const packet = count % 2 === 0 ? Buffer.from(plain) : Buffer.alloc(random.between(0, 79))
    const changes = count % 2 === 0 ? 1 + (count % 5) : packet.length
    for (let change = 0; change < changes; change += 1)
      packet[count % 2 === 0 ? random.between(0, packet.length - 1) : change] = byte()
    const response = respond(zones, packet, count % 3 === 0 ? 'tcp' : 'udp')
    // Reading all of them takes longer than answering.
    if (response && count % 49 === 0) {
      expect(response.bytes.readUInt16BE(0)).toBe(packet.readUInt16BE(0))
      expect(readAnswer(response.bytes).flag_qr).toBe(true)
      readAnswer(truncatedAnswer(packet))
    }
  }
  expect(used() - before).toBeLessThan(10_000_000)
})
