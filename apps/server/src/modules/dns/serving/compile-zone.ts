/** A zone made ready to be served: every name with its records as bytes. */
import { type Answer, type CaaData, encode } from 'dns-packet'
import { defaultTtl, hostmasterOf, type Zone, type ZoneRecord } from '../zones/zone.ts'
import { types } from './codes.ts'

/** A record as it stands in a message, without its owner: type, class, TTL, length, data. */
export type RecordBytes = Buffer

/** A name that exists. One without records lies between the zone and a name that has some (RFC 4592, 2.2.2). */
export interface ZoneNode {
  name: string
  /** Few: a list is read quicker than a map when there are many zones. */
  sets: { type: number; records: RecordBytes[] }[]
  /** Where an alias leads. */
  alias?: string
}

export interface CompiledZone {
  domain: string
  serial: number
  nodes: ReadonlyMap<string, ZoneNode>
  soa: RecordBytes
}

/** Of SOA (RFC 1035, 3.3.13), s. Nobody copies these zones; `minimum` is how long an absence is remembered. */
export const soaTimes = { refresh: 7200, retry: 900, expire: 1_209_600, minimum: defaultTtl }
/** Name servers change seldom, s. */
export const nsTtl = 3600

export function compileZone(zone: Zone): CompiledZone {
  const { domain, serial, nameServers, records } = zone
  const nodes = new Map<string, ZoneNode>()
  /** The node of `name`, with those above it up to the zone. */
  function nodeOf(name: string): ZoneNode {
    const known = nodes.get(name)
    if (known) return known
    const node: ZoneNode = { name, sets: [] }
    nodes.set(name, node)
    if (name !== domain) nodeOf(name.slice(name.indexOf('.') + 1))
    return node
  }
  function add(name: string, type: number, bytes: RecordBytes): void {
    const { sets } = nodeOf(name)
    const set = sets.find((one) => one.type === type)
    if (set) set.records.push(bytes)
    else sets.push({ type, records: [bytes] })
  }

  const primary = nameServers[0] ?? domain
  const soa = encodeRecord({
    name: '.',
    type: 'SOA',
    ttl: defaultTtl,
    data: { mname: primary, rname: hostmasterOf(primary), serial, ...soaTimes },
  })
  add(domain, types.SOA, soa)
  for (const host of nameServers) add(domain, types.NS, encodeRecord({ name: '.', type: 'NS', ttl: nsTtl, data: host }))
  for (const record of records) {
    add(record.name, types[record.type], encodeRecord(toAnswer(record)))
    if (record.type === 'CNAME') nodeOf(record.name).alias = record.value
  }
  return { domain, serial, nodes, soa }
}

function toAnswer({ type, ttl, value }: ZoneRecord): Answer {
  const name = '.'
  if (type !== 'CAA') return { name, type, ttl, data: value }
  const [flags = '', tag = ''] = value.split(' ')
  const data = {
    flags: Number(flags),
    tag: tag as CaaData['tag'], // the form was checked when the zone was written
    value: value.slice(value.indexOf('"') + 1, -1),
  }
  return { name, type, ttl, data }
}

/** Of a message's header and of the root as a name, bytes. */
const beforeRecord = 12 + 1

function encodeRecord(answer: Answer): RecordBytes {
  // A copy: small ones lie together in memory, where many zones are read quicker than from a block each.
  return Buffer.from(encode({ type: 'response', answers: [answer] }).subarray(beforeRecord))
}
