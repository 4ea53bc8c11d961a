/**
 * What our zones say to a question (RFC 1034, 4.3.2): pure, and nothing of packets in it. Aliases are followed inside
 * their zone; zones delegate nothing.
 */
import type { ZoneMap } from '../zones/zone-map.ts'
import { types } from './codes.ts'
import type { CompiledZone, RecordBytes, ZoneNode } from './compile-zone.ts'

export interface Question {
  /** Lower case, without a dot at the end; '' is the root. Bytes that names of ours cannot have are written `\ddd`. */
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
  /** Whose answer it is; undefined: no zone of ours. */
  zone: CompiledZone | undefined
  answers: OwnedRecord[]
  /** Whether the zone's SOA goes with it: nothing was found, and for how long that may be remembered (RFC 2308). */
  isNegative: boolean
  /**
   * What the answer is made of: a name of ours, or the zone when nothing was found. Questions for random names have
   * the same one.
   */
  source: string
}

/** An alias to an alias and so on; what is longer is left to whoever asked. */
const longestChain = 8

export function answer(zones: ZoneMap, { name, type }: Question): ZoneAnswer {
  const zone = findZone(zones, name)
  if (!zone) return { rcode: 'REFUSED', zone, answers: [], isNegative: false, source: '' }
  const answers: OwnedRecord[] = []
  const seen = new Set([name])
  let at = name
  let source = zone.domain
  for (let length = 0; ; length += 1) {
    const node = findNode(zone, at)
    if (length === 0 && node) source = node.name
    const owner = length === 0 ? undefined : at
    const found = node ? setsFor(node, type) : []
    for (const bytes of found) answers.push({ owner, bytes })
    if (!node)
      return { rcode: 'NXDOMAIN', zone, answers, isNegative: true, source: length === 0 ? zone.domain : source }
    const { alias } = node
    if (alias === undefined || type === types.CNAME || type === types.ANY)
      return { rcode: 'NOERROR', zone, answers, isNegative: found.length === 0, source }
    if (!isWithin(alias, zone.domain) || seen.has(alias) || length === longestChain)
      return { rcode: 'NOERROR', zone, answers, isNegative: false, source }
    seen.add(alias)
    at = alias
  }
}

const isWithin = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)

/** The lowest zone that `name` is in. */
function findZone(zones: ZoneMap, name: string): CompiledZone | undefined {
  for (let rest = name; ; ) {
    const zone = zones.get(rest)
    if (zone) return zone
    const dot = rest.indexOf('.')
    if (dot === -1) return undefined
    rest = rest.slice(dot + 1)
  }
}

/** The node of `name`, or the wildcard below the lowest name above it that exists (RFC 4592, 3.3.1). */
function findNode(zone: CompiledZone, name: string): ZoneNode | undefined {
  const node = zone.nodes.get(name)
  if (node) return node
  let above = name
  do above = above.slice(above.indexOf('.') + 1)
  while (!zone.nodes.has(above))
  return zone.nodes.get(`*.${above}`)
}

/** ANY gets one set (RFC 8482, 4.1); an alias answers for every type. */
function setsFor(node: ZoneNode, type: number): readonly RecordBytes[] {
  const set = type === types.ANY ? node.sets[0] : node.sets.find((one) => one.type === type || one.type === types.CNAME)
  return set?.records ?? []
}
