/**
 * Our zones' answer to a question (RFC 1034, 4.3.2): pure, and independent of packets. Aliases are followed inside
 * their zone; zones delegate nothing.
 */
import { types } from './codes.ts'
import {
  type CompiledZone,
  findPlace,
  type NodePlace,
  nameBelow,
  parentOf,
  type RecordBytes,
  recordsAt,
} from './compile-zone.ts'
import type { ZoneTable } from './zone-table.ts'

export interface Question {
  /** Lower case, without a dot at the end; '' is the root. Bytes that none of our names can have are written `\ddd`. */
  name: string
  /** A type's number. */
  type: number
}

export interface OwnedRecord {
  /** Undefined: the name that was asked for. */
  owner: string | undefined
  bytes: RecordBytes
}

export interface ZoneAnswer {
  rcode: 'NOERROR' | 'NXDOMAIN' | 'REFUSED'
  /** The zone that answers; undefined: the name is in none of our zones. */
  zone: CompiledZone | undefined
  answers: OwnedRecord[]
  /** Whether the zone's SOA goes with it: nothing was found, and for how long that may be remembered (RFC 2308). */
  isNegative: boolean
  /**
   * The source of the answer: one of our names, or the zone when nothing was found. Questions for random names share
   * one source.
   */
  source: string
}

/** Links in a chain of aliases that are followed; the client has to follow the rest. */
const longestChain = 8

export function answer(zones: ZoneTable, { name, type }: Question): ZoneAnswer {
  const zone = zones.find(name)
  if (!zone) return { rcode: 'REFUSED', zone, answers: [], isNegative: false, source: '' }
  const answers: OwnedRecord[] = []
  const seen = new Set([name])
  let at = name
  let source = zone.domain
  for (let length = 0; ; length += 1) {
    const node = findNode(zone, at)
    if (length === 0 && node) source = node.name
    const owner = length === 0 ? undefined : at
    const found = node ? recordsFor(zone, node.place, type) : []
    for (const bytes of found) answers.push({ owner, bytes })
    if (!node)
      return { rcode: 'NXDOMAIN', zone, answers, isNegative: true, source: length === 0 ? zone.domain : source }
    const alias = zone.aliases.get(node.place)
    if (alias === undefined || type === types.CNAME || type === types.ANY)
      return { rcode: 'NOERROR', zone, answers, isNegative: found.length === 0, source }
    if (!isWithin(alias, zone.domain) || seen.has(alias) || length === longestChain)
      return { rcode: 'NOERROR', zone, answers, isNegative: false, source }
    seen.add(alias)
    at = alias
  }
}

const isWithin = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)

interface Node {
  /** Its own, which is a wildcard's where that stands for the name that was asked for. */
  name: string
  place: NodePlace
}

/** The node at `name`, or the wildcard below the lowest existing name above it (RFC 4592, 3.3.1). */
function findNode(zone: CompiledZone, name: string): Node | undefined {
  const below = nameBelow(zone.domain, name)
  const place = findPlace(zone, below)
  if (place !== undefined) return { name, place }
  let above = below
  do above = parentOf(above)
  while (findPlace(zone, above) === undefined)
  const wildcard = above === '' ? '*' : `*.${above}`
  const standing = findPlace(zone, wildcard)
  return standing === undefined ? undefined : { name: `${wildcard}.${zone.domain}`, place: standing }
}

/** ANY gets one set (RFC 8482, 4.1); an alias answers for every type. */
function recordsFor(zone: CompiledZone, place: NodePlace, type: number): RecordBytes[] {
  if (type !== types.ANY) return recordsAt(zone, place, (one) => one === type || one === types.CNAME)
  const [first, ...more] = recordsAt(zone, place, () => true)
  return first ? [first, ...more.filter((one) => one.readUInt16BE(0) === first.readUInt16BE(0))] : []
}

/** The SOA record, which says for how long an absence may be cached. */
export function soaOf(zone: CompiledZone): RecordBytes[] {
  return recordsAt(zone, findPlace(zone, '') ?? 0, (type) => type === types.SOA)
}
