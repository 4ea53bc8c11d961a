import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Zone, ZoneRecord } from '../zones/zone.ts'
import { changesTo, type Rrset, type RrsetChange, rrsetsOf } from './rrsets.ts'

const domain = 'lagoon.example'
const zone = (records: ZoneRecord[], serial = 7): Zone => ({
  domain,
  serial,
  nameServers: ['ns1.host.example', 'ns2.host.example'],
  records,
})
const label = fc.constantFrom('a', 'b', '*.a', 'c.b')
const record: fc.Arbitrary<ZoneRecord> = fc.oneof(
  fc.record({ label, value: fc.ipV4(), ttl: fc.constantFrom(0, 60) }).map(({ label, ...rest }) => ({
    ...rest,
    name: `${label}.${domain}`,
    type: 'A' as const,
  })),
  fc.record({ label, value: fc.ipV6(), ttl: fc.constantFrom(0, 60) }).map(({ label, ...rest }) => ({
    ...rest,
    name: `${label}.${domain}`,
    type: 'AAAA' as const,
  })),
  fc.record({ label, value: fc.string({ maxLength: 40 }), ttl: fc.constant(60) }).map(({ label, ...rest }) => ({
    ...rest,
    name: `${label}.${domain}`,
    type: 'TXT' as const,
  })),
)
const zones = fc.tuple(fc.array(record, { maxLength: 12 }), fc.integer({ min: 1, max: 9 })).map(([r, s]) => zone(r, s))

/** The effect of a PATCH on PowerDNS's record sets. */
function patch(sets: readonly Rrset[], changes: readonly RrsetChange[]): Rrset[] {
  const keyOf = ({ name, type }: { name: string; type: string }) => `${name} ${type}`
  const kept = new Map(sets.map((set) => [keyOf(set), set]))
  for (const change of changes) {
    if (change.changetype === 'DELETE') kept.delete(keyOf(change))
    else kept.set(keyOf(change), { name: change.name, type: change.type, ttl: change.ttl, records: change.records })
  }
  return [...kept.values()]
}

it('the changes from any zone to any other give that one, and then there are none', () => {
  fc.assert(
    fc.property(zones, zones, (from, to) => {
      const wanted = rrsetsOf(to)
      const patched = patch(rrsetsOf(from), changesTo(wanted, rrsetsOf(from)))
      expect(changesTo(wanted, patched)).toEqual([])
      expect(patched).toHaveLength(wanted.length)
      expect(new Set(patched.map((set) => JSON.stringify(set)))).toEqual(
        new Set(wanted.map((set) => JSON.stringify(set))),
      )
    }),
  )
})

it('order, letter case and how an address is written are no difference', () => {
  const name = `a.${domain}`
  const wanted = rrsetsOf(
    zone([
      { name, type: 'AAAA', value: '2001:0db8:0::1', ttl: 60 },
      { name, type: 'AAAA', value: '::ffff:192.0.2.1', ttl: 60 },
      { name: `c.${domain}`, type: 'CNAME', value: 'elsewhere.example', ttl: 60 },
    ]),
  )
  const found = wanted.toReversed().map((set) => ({
    ...set,
    name: set.name.toUpperCase(),
    records: set.records.toReversed().map((one) => ({
      ...one,
      content: set.type === 'AAAA' && one.content.includes('ffff') ? '::ffff:192.0.2.1' : one.content.toUpperCase(),
    })),
  }))
  expect(changesTo(wanted, found)).toEqual([])
})

it('one set has one TTL, one address once, and texts as zone files have them', () => {
  const name = `a.${domain}`
  const sets = rrsetsOf(
    zone([
      { name, type: 'AAAA', value: '2001:db8::1', ttl: 300 },
      { name, type: 'AAAA', value: '2001:db8:0::1', ttl: 60 },
      { name, type: 'TXT', value: 'ä "x" \\', ttl: 60 },
      { name, type: 'CAA', value: '0 issue "ca\\b"', ttl: 60 },
    ]),
  )
  expect(sets.slice(2).map(({ type, ttl, records }) => [type, ttl, ...records.map(({ content }) => content)])).toEqual([
    ['AAAA', 60, '2001:db8::1'],
    ['TXT', 60, String.raw`"\195\164 \"x\" \\"`],
    ['CAA', 60, String.raw`0 issue "ca\\b"`],
  ])
})
