/** What each step awaits in DNS: what is looked for, and the records that a person adds for it. */
import type { DomainRecord } from '@atoll/contract/domains'
import type { Trx } from '../../../platform/db/index.ts'
import type { DomainDeps, Wanted } from '../domain-deps.ts'
import { txtNames, txtValue } from '../names/txt-record.ts'
import type { DomainRow } from '../store/domain-store.ts'

type Settings = Pick<DomainDeps, 'config' | 'dns'>

/** What a look at the domain looks for. */
export function wantedOf({ config, dns }: Settings, row: DomainRow): Wanted {
  if (row.status === 'WAIT_TXT')
    return { kind: 'txt', names: txtNames({ domain: row.name, isApex: row.is_apex }), value: txtValue(row.txt_token) }
  if (row.method === 'ns') return { kind: 'ns', servers: [...dns.nameServers] }
  return { kind: 'cname', name: `*.${row.name}`, target: config.edgeDomain }
}

/** The same as records, in the form in which DNS panels ask for them. */
export function recordsOf(settings: Settings, row: DomainRow): DomainRecord[] {
  const wanted = wantedOf(settings, row)
  switch (wanted.kind) {
    case 'txt':
      return [{ type: 'TXT', name: wanted.names[0] ?? row.name, values: [wanted.value] }]
    case 'ns':
      return wanted.servers.length === 0 ? [] : [{ type: 'NS', name: row.name, values: [...wanted.servers] }]
    case 'cname':
      return [{ type: 'CNAME', name: wanted.name, values: [wanted.target] }]
  }
}

/** The zone of a domain that is delegated here: nothing but SOA and NS until it is set up. */
export function zoneOf({ dns }: Settings, row: DomainRow, isServed: boolean) {
  const names = [row.name, `*.${row.name}`]
  // An alias cannot stand at a zone's own name (RFC 1034 §3.6.2).
  const fits = (name: string, type: string) => type !== 'CNAME' || name !== row.name
  const records = names.flatMap((name) =>
    dns.hostRecords.filter(({ type }) => fits(name, type)).map((record) => ({ name, ...record })),
  )
  return { domain: row.name, nameServers: [...dns.nameServers], records: isServed ? records : [] }
}

/** Has the zone served, where the domain is delegated here; gives what the row keeps of it. */
export async function serveZone(settings: Settings, trx: Trx, row: DomainRow): Promise<{ zone_version?: number }> {
  if (row.method !== 'ns') return {}
  return { zone_version: (await settings.dns.setZone(trx, zoneOf(settings, row, true))).version }
}
