/** Zones as PowerDNS takes and returns them: sets of records, a name and a type each, in the form of zone files. */
import { isIPv6 } from 'node:net'
import { nsTtl, soaTimes } from '../serving/compile-zone.ts'
import { defaultTtl, hostmasterOf, stringsOf, type Zone, type ZoneRecord } from '../zones/zone.ts'

export interface Rrset {
  /** Lower case, with a dot at the end. */
  name: string
  type: string
  ttl: number
  records: { content: string; disabled: boolean }[]
}

/** One change of a set; `REPLACE` gives all of its records. */
export type RrsetChange =
  | (Rrset & { changetype: 'REPLACE' })
  | (Pick<Rrset, 'name' | 'type'> & { changetype: 'DELETE' })

/** All of a zone, SOA and NS with it; its serial is the version. */
export function rrsetsOf({ domain, serial, nameServers, records }: Zone): Rrset[] {
  const primary = nameServers[0] ?? domain
  const { refresh, retry, expire, minimum } = soaTimes
  const soa = `${primary}. ${hostmasterOf(primary)}. ${serial} ${refresh} ${retry} ${expire} ${minimum}`
  const sets = new Map<string, Rrset>()
  function add(name: string, type: string, ttl: number, content: string): void {
    const set = sets.get(`${name} ${type}`) ?? { name: `${name}.`, type, ttl, records: [] }
    sets.set(`${name} ${type}`, set)
    // One set has one TTL (RFC 2181, 5.2).
    set.ttl = Math.min(set.ttl, ttl)
    if (!set.records.some((record) => record.content === content)) set.records.push({ content, disabled: false })
  }
  add(domain, 'SOA', defaultTtl, soa)
  for (const host of nameServers) add(domain, 'NS', nsTtl, `${host}.`)
  for (const record of records) add(record.name, record.type, record.ttl, contentOf(record))
  return [...sets.values()]
}

/** The smallest change from the sets that were found to those that are wanted; empty: they are the same. */
export function changesTo(wanted: readonly Rrset[], found: readonly Rrset[]): RrsetChange[] {
  const keyOf = ({ name, type }: Rrset) => `${name.toLowerCase()} ${type}`
  const before = new Map(found.map((set) => [keyOf(set), textOf(set)]))
  const kept = new Set(wanted.map(keyOf))
  return [
    ...found
      .filter((set) => !kept.has(keyOf(set)))
      .map(({ name, type }) => ({ name, type, changetype: 'DELETE' as const })),
    ...wanted
      .filter((set) => before.get(keyOf(set)) !== textOf(set))
      .map((set) => ({ ...set, changetype: 'REPLACE' as const })),
  ]
}

/** Equal for sets that are answered alike. */
function textOf({ type, ttl, records }: Rrset): string {
  const contents = records.map(({ content, disabled }) => `${disabled} ${canonical(type, content)}`)
  return [ttl, ...contents.toSorted()].join('\n')
}

function canonical(type: string, content: string): string {
  if (type === 'TXT' || type === 'CAA') return content
  return type === 'AAAA' ? shortAddress(content) : content.toLowerCase()
}

/** One address of IPv6 can be written in many ways; this is always the same one. */
function shortAddress(text: string): string {
  return isIPv6(text) ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
}

function contentOf({ type, value }: ZoneRecord): string {
  switch (type) {
    case 'A':
      return value
    case 'AAAA':
      return shortAddress(value)
    case 'CNAME':
      return `${value}.`
    case 'MX':
      return value.endsWith('.') ? value : `${value}.`
    case 'TXT':
      return stringsOf(value).map(quote).join(' ')
    case 'CAA': {
      const begin = value.indexOf('"')
      return `${value.slice(0, begin)}${quote(Buffer.from(value.slice(begin + 1, -1)))}`
    }
  }
}

/** A string between quotes, bytes that are not plain as `\ddd` (RFC 1035, 5.1). */
function quote(string: Buffer): string {
  const plain = (byte: number) => byte >= 0x20 && byte < 0x7f
  const bytes = [...string].map((byte) => {
    if (!plain(byte)) return `\\${String(byte).padStart(3, '0')}`
    const sign = String.fromCharCode(byte)
    return sign === '"' || sign === '\\' ? `\\${sign}` : sign
  })
  return `"${bytes.join('')}"`
}
