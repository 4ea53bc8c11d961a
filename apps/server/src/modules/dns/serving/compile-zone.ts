/**
 * A zone made ready to be served: every name with its records as bytes, one behind the other. Objects for names, sets
 * and records lay all over the heap: with ten thousand zones, each step from one to the next was a miss of the cache.
 */
import { type Answer, type CaaData, encode } from 'dns-packet'
import { defaultTtl, hostmasterOf, stringsOf, type Zone, type ZoneRecord } from '../zones/zone.ts'
import { types } from './codes.ts'

/** A record as it stands in a message, without its owner: type, class, TTL, length, data. */
export type RecordBytes = Buffer

/** Where the records of a name begin in `bytes`. A name without any lies above one that has some (RFC 4592, 2.2.2). */
export type NodePlace = number

export interface CompiledZone {
  domain: string
  serial: number
  /** Names below the zone, first the zone's own: length, name, length of the records (4), records sorted by type. */
  bytes: Buffer
  /** Of a zone with so many names that a linear search takes long. */
  places: ReadonlyMap<string, NodePlace> | undefined
  /** Where an alias leads. */
  aliases: ReadonlyMap<NodePlace, string>
}

/** Of SOA (RFC 1035, 3.3.13), s. Nobody copies these zones; `minimum` is how long an absence is remembered. */
export const soaTimes = { refresh: 7200, retry: 900, expire: 1_209_600, minimum: defaultTtl }
/** Name servers change seldom, s. */
export const nsTtl = 3600

/** More are not searched one by one. */
const fewNames = 16
const noAliases: ReadonlyMap<NodePlace, string> = new Map()

export function compileZone(zone: Zone): CompiledZone {
  const { domain, serial, nameServers, records } = zone
  /** By the name below the zone; '' is the zone's own. */
  const nodes = new Map<string, { type: number; bytes: RecordBytes }[]>([['', []]])
  function add(name: string, type: number, bytes: RecordBytes): void {
    const below = nameBelow(domain, name)
    for (let above = below; !nodes.has(above); above = parentOf(above)) nodes.set(above, [])
    nodes.get(below)?.push({ type, bytes })
  }

  const primary = nameServers[0] ?? domain
  const soa = { mname: primary, rname: hostmasterOf(primary), serial, ...soaTimes }
  add(domain, types.SOA, encodeRecord({ name: '.', type: 'SOA', ttl: defaultTtl, data: soa }))
  for (const host of nameServers) add(domain, types.NS, encodeRecord({ name: '.', type: 'NS', ttl: nsTtl, data: host }))
  for (const record of records) add(record.name, types[record.type], encodeRecord(toAnswer(record)))

  const parts: Buffer[] = []
  const places = new Map<string, NodePlace>()
  let at = 0
  for (const [name, found] of nodes) {
    // SOA first: it is what a negative answer needs.
    const sorted = found.toSorted(
      (a, b) => Number(b.type === types.SOA) - Number(a.type === types.SOA) || a.type - b.type,
    )
    const own = Buffer.concat(sorted.map(({ bytes }) => bytes))
    const head = Buffer.alloc(1 + name.length + 4)
    head.writeUInt8(name.length, 0)
    head.write(name, 1, 'latin1')
    head.writeUInt32BE(own.length, 1 + name.length)
    places.set(name, at + 1 + name.length)
    parts.push(head, own)
    at += head.length + own.length
  }
  const leading = records.filter(({ type }) => type === 'CNAME')
  const aliases = new Map(leading.map(({ name, value }) => [places.get(nameBelow(domain, name)) ?? 0, value]))
  return {
    domain,
    serial,
    bytes: Buffer.concat(parts),
    places: places.size > fewNames ? places : undefined,
    aliases: aliases.size > 0 ? aliases : noAliases,
  }
}

/** `name` without the zone's domain; '' is the zone's own. */
export function nameBelow(domain: string, name: string): string {
  return name.slice(0, Math.max(0, name.length - domain.length - 1))
}

/** `b` of `a.b`; '' of `a`. */
export function parentOf(name: string): string {
  const dot = name.indexOf('.')
  return dot === -1 ? '' : name.slice(dot + 1)
}

/** Undefined: there is no such name. */
export function findPlace({ bytes, places }: CompiledZone, below: string): NodePlace | undefined {
  if (places) return places.get(below)
  for (let at = 0; at < bytes.length; ) {
    const place = at + 1 + bytes.readUInt8(at)
    if (isNameAt(bytes, at, below)) return place
    at = place + 4 + bytes.readUInt32BE(place)
  }
  return undefined
}

function isNameAt(bytes: Buffer, at: number, name: string): boolean {
  if (bytes[at] !== name.length) return false
  for (let index = 0; index < name.length; index += 1)
    if (bytes[at + 1 + index] !== name.charCodeAt(index)) return false
  return true
}

/** The records at `place` that `takes` their type. */
export function recordsAt({ bytes }: CompiledZone, place: NodePlace, takes: (type: number) => boolean): RecordBytes[] {
  const found: RecordBytes[] = []
  const end = place + 4 + bytes.readUInt32BE(place)
  for (let at = place + 4; at < end; ) {
    const next = at + 10 + bytes.readUInt16BE(at + 8)
    if (takes(bytes.readUInt16BE(at))) found.push(bytes.subarray(at, next))
    at = next
  }
  return found
}

function toAnswer({ type, ttl, value }: ZoneRecord): Answer {
  const name = '.'
  if (type === 'TXT') return { name, type, ttl, data: stringsOf(value) }
  if (type === 'MX') {
    const [preference = '', exchange = ''] = value.split(' ')
    return { name, type, ttl, data: { preference: Number(preference), exchange } }
  }
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
  return encode({ type: 'response', answers: [answer] }).subarray(beforeRecord)
}
