/**
 * A reference model of the answers of zones of records, as plain as the standards put it and without any map or tree:
 * the answers of the fast implementation are compared with it.
 */
import type { Zone, ZoneRecord } from '../zones/zone.ts'

export interface PlainAnswer {
  rcode: 'NOERROR' | 'NXDOMAIN' | 'REFUSED'
  /** `name type value`, without order. */
  answers: string[]
  /** The domain whose SOA says for how long nothing is there. */
  soa: string | undefined
}

type PlainType = ZoneRecord['type'] | 'NS' | 'SOA'

/** `name` in any case. Only types that a zone can hold. */
export function plainAnswer(zones: readonly Zone[], name: string, type: PlainType): PlainAnswer {
  const asked = name.toLowerCase()
  const within = (one: string, domain: string) => one === domain || one.endsWith(`.${domain}`)
  const own = zones.filter(({ domain }) => within(asked, domain))
  const zone = own.toSorted((a, b) => b.domain.length - a.domain.length)[0]
  if (!zone) return { rcode: 'REFUSED', answers: [], soa: undefined }
  const records: { name: string; type: PlainType; value: string }[] = [
    ...zone.records,
    { name: zone.domain, type: 'SOA', value: String(zone.serial) },
    ...zone.nameServers.map((value) => ({ name: zone.domain, type: 'NS' as const, value })),
  ]
  const exists = (one: string) => records.some((record) => within(record.name, one))
  /** The records that a name has, its own or those of the wildcard that stands for it; undefined: no such name. */
  function recordsOf(one: string) {
    if (exists(one)) return records.filter((record) => record.name === one)
    const above = one.split('.').map((_, index, labels) => labels.slice(index).join('.'))
    const wildcard = `*.${above.find(exists)}`
    return exists(wildcard) ? records.filter((record) => record.name === wildcard) : undefined
  }

  const answers: string[] = []
  const visited: string[] = []
  for (let at = asked; ; ) {
    visited.push(at)
    const found = recordsOf(at)
    if (!found) return { rcode: 'NXDOMAIN', answers, soa: zone.domain }
    const alias = found.find((record) => record.type === 'CNAME')
    const wanted = alias ? [alias] : found.filter((record) => record.type === type)
    for (const record of wanted) answers.push(`${at} ${record.type} ${record.value}`)
    const soa = wanted.length === 0 ? zone.domain : undefined
    if (!alias || type === 'CNAME') return { rcode: 'NOERROR', answers, soa }
    at = alias.value
    // Outside the zone, in a loop, or longer than is followed: the client follows the rest.
    if (!within(at, zone.domain) || visited.includes(at) || visited.length > 8)
      return { rcode: 'NOERROR', answers, soa: undefined }
  }
}
